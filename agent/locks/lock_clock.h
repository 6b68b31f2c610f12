// SPDX-License-Identifier: Apache-2.0
// LockClock is the clock `lock`: waits for locks that have lasted as long as its interval, the threshold, or longer.
//
//   synchronized           jdk.JavaMonitorEnter   JVMTI's MonitorContendedEnter and MonitorContendedEntered
//   Object.wait            jdk.JavaMonitorWait    MonitorWait and MonitorWaited
//   java.util.concurrent   jdk.ThreadPark         the native method Unsafe.park (park_hook.h); of a virtual thread, which
//                                                 comes there when it is pinned, also jdk.VirtualThreadPinned
//   virtual threads        jdk.ThreadPark         by looking at some of them (virtual_parks.h)
//   Thread.sleep           jdk.ThreadSleep        that one's native method (sleep_hook.h); virtual threads as for parks
//
// Each with its exact time, the thread (a virtual one as itself), the stack, the class and the address. The first also
// with who held the lock, and where that one was (owner_watch.h). Shorter waits are counted, and their time is added up.
#pragma once

#include <jvmti.h>

#include <atomic>

#include "agent/hotspot/vm/thread_fields.h"
#include "agent/locks/owner_watch.h"
#include "agent/locks/park_hook.h"
#include "agent/locks/sleep_hook.h"
#include "agent/locks/virtual_parks.h"
#include "agent/locks/wait_table.h"
#include "agent/sampling/clock.h"
#include "agent/sampling/hook_watch.h"
#include "agent/sampling/vm_session.h"
#include "recorder/spool/event_log.h"
#include "recorder/spool/lock_event.h"
#include "recorder/spool/loss.h"

namespace rec::agent {

class LockClock final : public Clock {
 public:
  // on_parked: as given, calls park_ended(); on_slept: sleep_ended().
  LockClock(VmSession& session, StackRequests& requests, uint32_t stack_depth, OnParked on_parked, OnSlept on_slept)
      : session_(session),
        stack_depth_(stack_depth),
        on_parked_(on_parked),
        on_slept_(on_slept),
        watch_(session, requests, waits_),
        virtual_parks_(session, threshold_ns_) {}

  const char* name() const override { return "lock"; }
  base::Status start(JNIEnv* jni, int64_t threshold_ns) override;  // session.jvmti has the callbacks
  base::Status change(int64_t threshold_ns) override;
  void stop(JNIEnv* jni) override;
  void tend() override;
  ClockStatus status() override;
  std::string trouble() const;  // of what it is to record; empty: none. Any ordinary thread
  // Before an epoch ends: stacks of waits that go on are kept beyond it. Any ordinary thread.
  void keep_waits();

  // JVMTI's callbacks, of the thread that waits. Never wait themselves.
  void enter_begins(JNIEnv* jni, jthread thread, jobject object);
  void enter_ends(JNIEnv* jni, jthread thread, jobject object);
  void wait_begins(JNIEnv* jni, jthread thread, jlong timeout_ms);
  void wait_ends(JNIEnv* jni, jthread thread, jobject object, bool timed_out);
  // Likewise, of a thread that has parked (park_hook.h), or slept.
  void park_ended(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, bool is_absolute, int64_t time);
  void sleep_ended(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, int64_t wanted_ns);

 private:
  struct Ended {
    EventKind kind;
    int64_t start_ticks = 0, duration_ns = 0;
    DetailShape detail;  // without class and owner
    OwnerSeen owner;
    uint64_t owner_word = 0;      // for the case that the owner was not asked
    const Wait* begun = nullptr;  // has a stack from the beginning
  };
  // Of one kind of wait: what is shorter than the threshold.
  struct Short {
    Note count, time_us;
  };
  void wait_is_over(JNIEnv* jni, const Ended& wait, jobject object, const Short& when_short);
  void keep_stack(Wait& wait);
  bool record(const Ended& wait, jclass mirror);
  static bool record_pinned(Epoch& epoch, Event event, Ref<ThreadFact> carrier);
  Ref<ThreadFact> owner_by_word(Epoch& epoch, uint64_t word);
  bool enable(jvmtiEventMode mode);
  void watch_owners();
  int64_t threshold() const { return threshold_ns_.load(std::memory_order_relaxed); }
  // acquire: pairs with the release in start().
  bool running() const { return running_.load(std::memory_order_acquire); }

  VmSession& session_;
  const uint32_t stack_depth_;
  const OnParked on_parked_;
  const OnSlept on_slept_;
  ThreadFields fields_;
  std::atomic<bool> running_{false};
  HookWatch parks_{"Unsafe.park", "parks"}, sleeps_{"Thread.sleep", "sleeps"};
  std::atomic<int64_t> threshold_ns_{0};
  WaitTable waits_;
  OwnerWatch watch_;
  VirtualParks virtual_parks_;
};

}  // namespace rec::agent
