// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/virtual_parks.h"

#include <time.h>

#include <algorithm>

#include "agent/hotspot/walk/object_class.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"
#include "recorder/spool/lock_event.h"

namespace rec::agent {
namespace {

using Does = ThreadSets::Does;

constexpr int64_t kParksEndNs = 1'000'000'000;
constexpr int64_t kLateNs = 5'000'000;  // a thread is seldom woken to the millisecond

}  // namespace

bool VirtualParks::start(JNIEnv* jni) {
  if (!threads_.begin(jni, session_.thread_sets)) return false;
  last_ticks_ = base::now_ticks();
  return thread_.start([this](Housekeeper::Pause& pause) { run(pause); });
}

void VirtualParks::stop() { thread_.stop(kParksEndNs); }

void VirtualParks::run(Housekeeper::Pause& pause) {
  int64_t cost_ns = 0;
  while (pause.wait_for(pause_ns(cost_ns))) {
    const int64_t cpu_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    const int64_t before = last_ticks_;
    if (const EpochPin pin; !pin || !meet(*pin)) continue;          // the next round stands for its time
    pause.wait_for(threshold_ns_.load(std::memory_order_relaxed));  // at the end it is settled at once
    if (is_late())
      last_ticks_ = before;
    else if (const EpochPin pin; pin)
      settle(*pin);
    cost_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
  }
}

int64_t VirtualParks::pause_ns(int64_t cost_ns) {
  const int64_t mean_ns = std::max(UnmountedThreads::kRoundNs, cost_ns * UnmountedThreads::kMostShare);
  return static_cast<int64_t>(static_cast<double>(mean_ns) * (0.5 + threads_.random().next()));
}

// On a busy machine the second look may come when even long parks are over: it would tell nothing.
bool VirtualParks::is_late() const {
  const int64_t threshold_ns = threshold_ns_.load(std::memory_order_relaxed);
  return threshold_ns != 0 && base::now_ticks() - last_ticks_ > threshold_ns + threshold_ns / 2 + kLateNs;
}

// False: a collector was at work on what leads to them.
bool VirtualParks::meet(Epoch& epoch) {
  const int64_t now = base::now_ticks();
  const auto scale = threads_.look();
  if (!scale) return false;
  met_.clear();
  serial_ = epoch.serial();
  for (const UnmountedThreads::Seen& seen : threads_.seen()) {
    Parked parked{.seen = seen};
    parked.event.ticks = last_ticks_;
    parked.event.value = static_cast<uint64_t>(static_cast<double>(now - last_ticks_) * *scale * seen.stands_for);
    if (describe(epoch, parked)) met_.push_back(parked);
  }
  last_ticks_ = now;
  return true;
}

// False: it is not parked, or goes on while it is read.
bool VirtualParks::describe(Epoch& epoch, Parked& parked) {
  const uint64_t thread = parked.seen.thread;
  const auto place = threads_.place_of(thread);
  if (!place || place->does != Does::kParked) return false;
  const LockEvent lock{.address = threads_.park_blocker(thread)};
  DetailShape detail = lock_shape(lock);
  const Ref<ClassFact> klass = class_fact_of_object(session_.vm.layout, epoch, lock.address);
  Event& event = parked.event;
  const UnmountedThreads::Stack stack = threads_.stack_of(epoch, *place);
  event.kind = stack.sleeps ? EventKind::kThreadSleep : EventKind::kThreadPark;
  event.stack = stack.fact;
  parked.context = session_.sampler.contexts().of_unmounted(place->id);
  if (!threads_.is_still_at(*place, thread)) return false;
  if (threads_.park_blocker(thread) == lock.address) detail.klass = klass;
  event.thread = threads_.fact_of(epoch, thread, place->id);
  event.other = epoch.copy_detail(detail).unit;
  parked.place = *place;
  return event.thread && event.stack && event.other != 0;
}

// When the epoch has changed, what they refer to is read again.
void VirtualParks::settle(Epoch& epoch) {
  LossCounters& losses = Engine::losses();
  for (Parked& each : met_) {
    if (has_gone_on(each)) {
      const bool slept = each.event.kind == EventKind::kThreadSleep;
      losses.note(slept ? Note::kSleepsShortUs : Note::kParksShortUs, each.event.value / 1000);
      continue;
    }
    const bool written = (epoch.serial() == serial_ || describe(epoch, each)) &&
                         epoch.commit(SampleContexts::event_of(epoch, each.context), each.event);
    losses.note(written ? Note::kLockWaits : Note::kLockWaitsLost);
  }
}

bool VirtualParks::has_gone_on(const Parked& parked) const {
  if (threshold_ns_.load(std::memory_order_relaxed) == 0) return false;  // each is to be written
  const auto now = threads_.place_of(parked.seen.thread);
  return now && !same_place(parked.place, *now);
}

}  // namespace rec::agent
