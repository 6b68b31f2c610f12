// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/wall_clock.h"

#include <pthread.h>

#include "base/units.h"

namespace rec::agent {
namespace {

constexpr int64_t kLastVisitsNs = 500'000'000;  // sleeps that go on are written at the end

}  // namespace

base::Status WallClock::start(JNIEnv* jni, int64_t interval) {
  if (!requests_.ready()) return clock_refused("has no signal that is free to ask threads where they run");
  using CpuTime = WallLedger::CpuTime;
  const CpuTime cpu_time = cpu_.status().running ? CpuTime::kElsewhere : CpuTime::kHere;
  auto watch = std::make_shared<WallWatch>(vm_, threads_, requests_, cpu_time, interval);
  watch->begin_unmounted(jni, sets_);
  const bool started = thread_.start([watch](Housekeeper::Pause& pause) {
    pthread_setname_np(pthread_self(), "rec wall");
    watch->run(pause);
  });
  if (!started) return clock_refused("has no thread: the system gives none");
  set_watch(watch);
  return base::Done{};
}

base::Status WallClock::change(int64_t interval) {
  if (const auto watch = this->watch()) watch->change(interval);
  return base::Done{};
}

void WallClock::stop(JNIEnv*) {
  thread_.stop(kLastVisitsNs);
  set_watch(nullptr);
}

ClockStatus WallClock::status() {
  const auto watch = this->watch();
  if (!watch) return {};
  const std::string stretched =
      watch->stretched() == 1 ? "" : std::to_string(watch->stretched()) + " times longer so as not to be dear";
  return {true, watch->interval_ns(), base::duration_text(watch->interval_ns()), stretched};
}

void WallClock::thread_present(ThreadRecord& record) {
  if (const auto watch = this->watch()) watch->thread_present(record);
}

void WallClock::tell_standing() {
  if (const auto watch = this->watch()) watch->tell_standing();
}

void WallClock::keep_standing() {
  if (const auto watch = this->watch()) watch->keep_standing();
}

void WallClock::thread_ended(ThreadRecord& record) {
  if (const auto watch = this->watch()) watch->thread_ended(record);
}

}  // namespace rec::agent
