// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/heap_sampler.h"

#include <algorithm>

#include "agent/heap/allocation_weight.h"
#include "agent/heap/sample_points.h"
#include "agent/sampling/chance.h"

namespace rec::agent {
namespace {

jvmtiCapabilities sampled_allocations() {
  jvmtiCapabilities wanted{};
  wanted.can_generate_sampled_object_alloc_events = 1;
  return wanted;
}

// Who has it the VM does not say; who could have it, it does.
std::string why_not(jvmtiEnv* jvmti) {
  jvmtiCapabilities possible{};
  const bool known = jvmti->GetPotentialCapabilities(&possible) == JVMTI_ERROR_NONE;
  if (known && possible.can_generate_sampled_object_alloc_events) return "is refused by this VM";
  return "is not to be had: this VM does not sample allocations, or another agent has that (another "
         "profiler, or another copy of this library)";
}

}  // namespace

base::Status HeapSampler::take(Customer who, int64_t interval_bytes) {
  jvmtiEnv* const jvmti = session_.jvmti;
  const bool ours = shortest_.load(std::memory_order_relaxed) != 0;
  const jvmtiCapabilities wanted = sampled_allocations();
  if (!ours && jvmti->AddCapabilities(&wanted) != JVMTI_ERROR_NONE) return clock_refused(why_not(jvmti));
  intervals_[who].store(interval_bytes, std::memory_order_relaxed);
  base::Status status = set_interval();
  if (status.ok() && !ours &&
      jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr) != JVMTI_ERROR_NONE)
    status = clock_refused("is refused by this VM");
  if (!status.ok()) give_back(who);
  return status;
}

// What a thread has until its next sample was drawn with the interval before; on the average that is over one such.
base::Status HeapSampler::set_interval() {
  int64_t shortest = INT64_MAX;
  for (const auto& each : intervals_) {
    const int64_t interval = each.load(std::memory_order_relaxed);
    if (interval != 0) shortest = std::min(shortest, interval);
  }
  if (session_.jvmti->SetHeapSamplingInterval(static_cast<jint>(shortest)) != JVMTI_ERROR_NONE)
    return clock_refused("takes no such interval");
  shortest_.store(shortest, std::memory_order_relaxed);
  SamplePoints::of_process().start(session_, shortest);
  return base::Done{};
}

void HeapSampler::give_back(Customer who) {
  intervals_[who].store(0, std::memory_order_relaxed);
  const auto taken = [](const auto& interval) { return interval.load(std::memory_order_relaxed) != 0; };
  if (std::any_of(intervals_.begin(), intervals_.end(), taken)) return (void)set_interval();
  shortest_.store(0, std::memory_order_relaxed);
  SamplePoints::of_process().stop();
  session_.jvmti->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr);
  const jvmtiCapabilities had = sampled_allocations();
  session_.jvmti->RelinquishCapabilities(&had);
}

void HeapSampler::thread_started(ThreadRecord& thread) { SamplePoints::of_process().thread_started(thread); }

// The VM's chance to sample it was share(size / shortest); the clock's own would have been share(size / interval).
int64_t HeapSampler::sampled(Customer who, int64_t size) {
  const int64_t own = interval(who), shortest = shortest_.load(std::memory_order_relaxed);
  if (own == 0 || size <= 0 || !SamplePoints::of_process().reached(size)) return 0;
  if (shortest != 0 && own > shortest) {
    const double bytes = static_cast<double>(size);
    const double chance =
        sampled_share(bytes / static_cast<double>(own)) / sampled_share(bytes / static_cast<double>(shortest));
    if (static_cast<double>(next_random(random_) >> 11) >= chance * static_cast<double>(uint64_t{1} << 53)) return 0;
  }
  return allocation_weight(size, own);
}

}  // namespace rec::agent
