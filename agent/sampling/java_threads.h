// SPDX-License-Identifier: Apache-2.0
// Reads what a ThreadRecord needs of a java.lang.Thread. Ordinary threads, in the live phase.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/thread_fields.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

class JavaThreads {
 public:
  // Finds java.lang.Thread's fields. False when they are not as we know them.
  bool open(jvmtiEnv* jvmti, JNIEnv* jni, const Layout& layout);

  // Adds the thread to the registry, or reads it anew if it is there; nullptr when it is not alive as a thread of the
  // system, or the registry is full. Nor is one of ours that asks for itself while it knows Java: it blocks the clocks'
  // signals, and its CPU time is read as that of our other threads.
  ThreadRecord* add(JNIEnv* jni, jthread thread, ThreadRegistry& registry) const;

  // The same of a virtual thread that is a thread of the system, by what the VM's memory says: JVMTI does not list these.
  // nullptr: it is none. An ordinary thread, and a load may fault.
  ThreadRecord* add_bound(uint64_t java_thread, ThreadRegistry& registry) const;

  uint64_t java_thread(JNIEnv* jni, jthread thread) const { return fields_.java_thread(jni, thread); }

 private:
  void read_names(JNIEnv* jni, jthread thread, ThreadRecord& record) const;

  jvmtiEnv* jvmti_ = nullptr;
  const Layout* layout_ = nullptr;
  ThreadFields fields_;
};

}  // namespace rec::agent
