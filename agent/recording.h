// SPDX-License-Identifier: Apache-2.0
// A Recording is the agent at work: the VM opened, the engine running, each Java thread with its clock. One at a time.
//
//   start(): VM tables -> engine -> handler -> clocks      stop(): clocks off -> engine stopped, the recording
//   assembled
//
// Callbacks of JVMTI come in on any thread, also while it starts or stops.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>
#include <memory>
#include <string>

#include "agent/class_watch.h"
#include "agent/cpu_clock.h"
#include "agent/java_threads.h"
#include "agent/options/options.h"
#include "agent/sampler.h"
#include "agent/thread_registry.h"
#include "recorder/engine.h"

namespace rec::agent {

class Recording {
 public:
  Recording(jvmtiEnv* jvmti, VmCode& vm, const Options& options)
      : jvmti_(jvmti), vm_(vm), options_(options), class_watch_(jvmti, vm.layout) {}

  // The error is a sentence for the user; nothing is left running then.
  Status start(JNIEnv* jni);
  void stop();
  bool running() const { return running_.load(std::memory_order_acquire); }

  void thread_started(JNIEnv* jni, jthread thread);
  void thread_ended();
  void collection_started();
  void collection_finished();
  void class_prepared(jclass mirror);
  void mirror_freed(jlong tag);
  void shutting_down(JNIEnv* jni);                   // writes jdk.Shutdown
  void refresh_modules() { vm_.modules.refresh(); }  // libraries come and go; one thread at a time

 private:
  Status start_engine();
  void add_present_threads(JNIEnv* jni);
  void commit_thread_event(EventKind kind, ThreadRecord& thread);

  jvmtiEnv* const jvmti_;
  VmCode& vm_;
  const Options options_;
  std::string filename_;
  ClassWatch class_watch_;
  std::atomic<int64_t> unload_flush_{0};  // ticks of the last flush that an unload asked for
  ThreadRegistry threads_;
  JavaThreads java_threads_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<CpuClock> clock_;
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> running_{false};
  std::atomic<int64_t> collection_start_{0};
  std::atomic<uint32_t> collections_{0};
};

}  // namespace rec::agent
