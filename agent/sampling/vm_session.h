// SPDX-License-Identifier: Apache-2.0
// What the agent has of the VM for the life of the process, whatever records: handlers may run until the very end.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>
#include <string>

#include "agent/hotspot/vm/thread_sets.h"
#include "agent/hotspot/walk/vm_code.h"
#include "agent/sampling/class_tags.h"
#include "agent/sampling/java_threads.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

struct VmSession {
  JavaVM* java_vm = nullptr;
  jvmtiEnv* jvmti = nullptr;
  VmCode vm;
  ThreadRegistry threads;
  ThreadSets thread_sets;  // opened by who needs them first
  JavaThreads java_threads;
  Sampler sampler{vm, threads};
  ClassTags class_tags;  // of the recording
  bool opened = false;
  // Whether a recording takes what threads tell of themselves, as exceptions and waits: hooks are in place before it does, and what
  // they meet then is no loss. The epoch is open from there on, and the threads that were there are known.
  std::atomic<bool> takes_events{false};

  // Before the first recording, in an ordinary thread that Java knows; again without effect. Empty, or why this VM
  // cannot be recorded, as the rest of a sentence that begins with "this VM".
  std::string open(JNIEnv* jni);
  // Before another recording, while none is: what of the VM was not to be found before.
  void look_again();
};

}  // namespace rec::agent
