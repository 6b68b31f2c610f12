// SPDX-License-Identifier: Apache-2.0
// An ActiveRecording is the agent at work: the engine running, each Java thread with its clock. One at a time.
//
//   start(): engine -> tags and threads -> clocks      stop(): clocks off -> engine stopped, the recording assembled
//
// Callbacks of JVMTI come in on any thread, also while it starts or stops.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>
#include <memory>
#include <string>

#include "agent/hotspot/x86_64/fault_handler.h"
#include "agent/options/answer.h"
#include "agent/safepoint/safepoint_watch.h"
#include "agent/sampling/class_watch.h"
#include "agent/sampling/thread_clocks.h"
#include "agent/sampling/vm_session.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

// Where a command wishes the recording to go: `filename` and `overwrite`, patterns expanded.
RecordingTarget target_of(const Options& options);

class ActiveRecording {
 public:
  ActiveRecording(VmSession& session, SafepointWatch& safepoints, const Options& options)
      : session_(session),
        safepoints_(safepoints),
        options_(options),
        class_watch_(session.vm.layout, session.class_tags),
        clocks_(session.sampler, session.threads),
        returns_(fault_handler_returns()) {}

  // The error is a sentence for the user; nothing is left running then.
  Status start(JNIEnv* jni);
  void watch_classes(JNIEnv* jni, OnClassPrepared on_prepared, OnMirrorFreed on_freed);
  // target: instead of the one it was started with; empty: that one. kLimit after limit_ns: it is not over yet.
  Status stop(int64_t limit_ns, const RecordingTarget& target);
  void unwatch_classes(JNIEnv* jni) { class_watch_.close(jni); }
  bool over() const { return !engine_ || engine_->finished(); }  // it may be destroyed

  Status dump(const RecordingTarget& target, int64_t limit_ns);
  void describe(Answer& answer);
  const std::string& filename() const { return target_.filename; }
  const RecordingTarget& target() const { return target_; }
  std::string written_to() const;  // the file of the last dump or of the stop; until then the one that is wished
  const std::string& repository() const { return repository_; }
  const Options& options() const { return options_; }

  // Once a second: libraries that came are found, signals that somebody took are noticed.
  void tend();
  int64_t time_left() const;  // ns until its duration is over; INT64_MAX: it has none

  void thread_started(JNIEnv* jni, jthread thread);
  void thread_ended(ThreadRecord& record);
  void collection_started();
  void collection_finished();
  void class_prepared(jclass mirror);
  void mirror_freed(jlong tag);
  void shutting_down(JNIEnv* jni);  // writes jdk.Shutdown

 private:
  // acquire: pairs with the release in start(), and with the exchange in stop().
  bool running() const { return running_.load(std::memory_order_acquire); }
  Status start_engine(const ClockChoice& choice);
  void say_which_clock(const ClockChoice& choice) const;
  void add_present_threads(JNIEnv* jni);
  void watch_safepoints();
  void keep_fault_handler();
  void commit_thread_event(EventKind kind, ThreadRecord& thread);
  void say_how_walks_ended() const;

  VmSession& session_;
  SafepointWatch& safepoints_;
  const Options options_;
  RecordingTarget target_;
  std::string repository_;
  ClassWatch class_watch_;
  std::atomic<int64_t> unload_flush_{0};  // ticks of the last flush that an unload asked for
  ThreadClocks clocks_;
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> running_{false};
  uint32_t returns_;        // of the fault handler, when the housekeeper last looked
  bool said_lost_ = false;  // the housekeeper's, too
  int64_t started_ticks_ = 0;
  std::atomic<int64_t> collection_start_{0};
  std::atomic<uint32_t> collections_{0};
};

}  // namespace rec::agent
