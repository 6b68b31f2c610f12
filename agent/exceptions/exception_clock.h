// SPDX-License-Identifier: Apache-2.0
// ExceptionClock is the clock `exceptions`: exceptions and errors that are made, each with its class and its stack, as
// jdk.JavaExceptionThrow. Where many are, some of them, by chance, with how many they stand for (exception_rate.h). All
// are counted, and the count is written each second (jdk.ExceptionStatistics).
#pragma once

#include <jni.h>

#include <atomic>

#include "agent/exceptions/exception_rate.h"
#include "agent/exceptions/throw_hook.h"
#include "agent/sampling/clock.h"
#include "agent/sampling/hook_watch.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

class ExceptionClock final : public Clock {
 public:
  // on_thrown: as given, calls thrown().
  ExceptionClock(VmSession& session, OnThrown on_thrown) : session_(session), on_thrown_(on_thrown) {}

  const char* name() const override { return "exceptions"; }
  base::Status start(JNIEnv* jni, int64_t per_second) override;
  base::Status change(int64_t per_second) override;
  void stop(JNIEnv* jni) override;
  void tend() override;
  ClockStatus status() override;

  // Of the thread that has made it. Never waits.
  void thrown(JNIEnv* jni, jobject throwable);

 private:
  bool record(JNIEnv* jni, jobject throwable, uint64_t weight);
  void write_count(int64_t now);
  // acquire: pairs with the release in start().
  bool running() const { return running_.load(std::memory_order_acquire); }

  VmSession& session_;
  const OnThrown on_thrown_;
  std::atomic<bool> running_{false};
  HookWatch watch_{"Throwable.fillInStackTrace", "exceptions"};
  ExceptionRate rate_;
  int64_t count_due_ticks_ = 0;  // 0: none was written
};

}  // namespace rec::agent
