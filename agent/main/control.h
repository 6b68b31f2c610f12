// SPDX-License-Identifier: Apache-2.0
// Control carries out the commands: start, stop, dump, status, whether they stand on the JVM's command line, come by
// the JVM's attach mechanism, or by the clock (delay, duration). One at a time; each gives an Answer and waits for a
// disk no longer than its limit.
//
//   stopped -- start() --> [delayed] --> recording -- stop(), vm_death() --> stopped
//                                        |       ^
//                                        +-------+ start() of another one beside it, stop() of one of several
//
// Lives as long as the process.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <memory>
#include <mutex>
#include <vector>

#include "agent/main/active_recording.h"
#include "agent/main/recording_slot.h"
#include "agent/options/answer.h"
#include "agent/options/options.h"
#include "agent/process/housekeeper.h"
#include "agent/safepoint/safepoint_watch.h"
#include "agent/sampling/vm_session.h"
#include "agent/threads/interval_dumps.h"
#include "agent/threads/thread_dumps.h"

namespace rec::agent {

class Control {
 public:
  Control(JavaVM* java_vm, jvmtiEnv* jvmti, OnClassPrepared on_prepared, OnMirrorFreed on_freed,
          const HookListeners& listeners);

  // Ordinary threads that Java knows, in the live phase; jni is the calling thread's.
  Answer carry_out(JNIEnv* jni, const Options& options);
  void vm_death(JNIEnv* jni);

  RecordingSlot& slot() { return slot_; }
  VmSession& session() { return session_; }
  ThreadRegistry& threads() { return session_.threads; }

 private:
  // Without the lock taken.
  Answer locked(JNIEnv* jni, const Options& options);
  Answer start(JNIEnv* jni, const Options& options);
  Answer start_now(JNIEnv* jni, const Options& options);
  Answer start_later(const Options& options);
  Answer start_beside(JNIEnv* jni, const Options& options);
  Answer stop(JNIEnv* jni, const Options& options);
  Answer stop_all(JNIEnv* jni, const RecordingTarget& target, int64_t limit_ns);
  Answer stop_one(JNIEnv* jni, const ListedRecording& recording, const RecordingTarget& target);
  void stop_overdue();
  Status record_finest(JNIEnv* jni, const std::vector<Options>& asked);
  Answer dump(const Options& options);
  static RecordingTarget target_in(const Options& options, const ListedRecording& recording);
  Answer set(JNIEnv* jni, const Options& options);
  Answer status(const Options& options);
  Answer status_of(const ListedRecording& recording) const;
  Answer dump_threads(JNIEnv* jni, const Options& options);

  void start_after_delay(Housekeeper::Pause& pause, const Options& options);
  void keep_house(Housekeeper::Pause& pause);
  void enable(jvmtiEvent event, bool on);
  void enable_thread_starts(bool on);
  void enable_events(bool on);
  void retire(JNIEnv* jni, std::unique_ptr<ActiveRecording> recording);

  VmSession session_;
  SafepointWatch safepoints_{session_.vm, session_.threads, session_.sampler};
  WallRequests wall_requests_{session_.threads, session_.sampler};
  ThreadDumps thread_dumps_{session_};
  IntervalDumps interval_dumps_{session_, thread_dumps_};
  const OnClassPrepared on_prepared_;
  const OnMirrorFreed on_freed_;
  const HookListeners listeners_;
  RecordingSlot slot_;
  std::timed_mutex mutex_;                      // guards all below
  std::unique_ptr<ActiveRecording> recording_;  // all that are in the list
  RecordingList list_;
  std::vector<std::unique_ptr<ActiveRecording>> retired_;  // whose recorder thread waits for a disk
  Housekeeper housekeeper_;
  bool delayed_ = false;  // a recording is to start later
};

}  // namespace rec::agent
