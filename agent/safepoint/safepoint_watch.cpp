// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/safepoint_watch.h"

#include <pthread.h>

#include "agent/hotspot/state/critical_slot.h"
#include "agent/options/log.h"
#include "agent/safepoint/stall_finder.h"

namespace rec::agent {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kLastLookNs = 200 * kMillisecond;  // a safepoint that was over just before is in the recording

}  // namespace

SafepointWatch::SafepointWatch(const VmCode& vm, ThreadRegistry& threads, const Sampler& sampler)
    : vm_(vm), threads_(threads), requests_(vm, threads, sampler) {}

void SafepointWatch::start(const SafepointSettings& asked, JNIEnv* jni, uint64_t java_thread) {
  if (asked.threshold_ns == 0) return;
  if (critical_slots_.empty()) critical_slots_ = find_critical_slots(jni, java_thread);
  const SafepointSettings settings = asked.with_defaults();
  if (!requests_.open(settings.stack_depth))
    say(LogLevel::kWarn,
        "no signal is free to ask threads where they are: late threads are named without stacks of the way");
  const bool started = thread_.start([this, settings, slots = critical_slots_](Housekeeper::Pause& pause) {
    pthread_setname_np(pthread_self(), "rec safepoints");
    StallFinder finder(vm_, threads_, requests_, settings, slots, pause);
    finder.run();
  });
  if (!started) say(LogLevel::kWarn, "the system has no thread for us: safepoints are not watched");
}

void SafepointWatch::stop() { thread_.stop(kLastLookNs); }

}  // namespace rec::agent
