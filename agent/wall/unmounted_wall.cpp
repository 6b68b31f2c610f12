// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/unmounted_wall.h"

#include <time.h>

#include <algorithm>

#include "agent/hotspot/walk/wait_state.h"
#include "agent/sampling/wall_sample.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

using Does = ThreadSets::Does;

uint32_t state_of(Does does, bool sleeps) {
  switch (does) {
    case Does::kParked: return sleeps ? kStateSleeping : kStateParked;
    case Does::kBlocked: return kStateBlockedOnEnter;
    case Does::kInObjectWait: return kStateInObjectWait;
    case Does::kWaitsForCarrier:
    case Does::kElse: break;
  }
  return kStateRunnable;
}

}  // namespace

void UnmountedWall::begin(JNIEnv* jni, ThreadSets& sets) {
  if (threads_.begin(jni, sets)) last_ticks_ = due_ticks_ = base::now_ticks();
}

void UnmountedWall::visit(int64_t interval_ns) {
  const int64_t now = base::now_ticks();
  if (!threads_.begun() || now < due_ticks_) return;
  EpochPin pin;
  if (!pin) return;
  const int64_t cpu_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (round(*pin, now, interval_ns)) last_ticks_ = now;  // else the next one stands for its time
  const int64_t cost_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
  const int64_t pause_ns = std::max({UnmountedThreads::kRoundNs, interval_ns, cost_ns * UnmountedThreads::kMostShare});
  due_ticks_ = now + static_cast<int64_t>(static_cast<double>(pause_ns) * (0.5 + threads_.random().next()));
}

bool UnmountedWall::round(Epoch& epoch, int64_t now, int64_t interval_ns) {
  const auto scale = threads_.look();
  if (!scale) return false;
  const Span span{last_ticks_, static_cast<double>(now - last_ticks_) * *scale, interval_ns};
  for (const UnmountedThreads::Seen& seen : threads_.seen()) write(epoch, seen, span);
  return true;
}

void UnmountedWall::write(Epoch& epoch, const UnmountedThreads::Seen& seen, const Span& span) {
  const auto place = threads_.place_of(seen.thread);
  if (!place || place->does == Does::kElse) return;  // it has gone on
  const UnmountedThreads::Stack stack = threads_.stack_of(epoch, *place);
  const RequestContext context = contexts_.of_unmounted(place->id);
  if (!threads_.is_still_at(*place, seen.thread)) return;
  const Ref<ThreadFact> fact = threads_.fact_of(epoch, seen.thread, place->id);
  if (!fact || !stack.fact) return;
  const double length_ns = span.length_ns * seen.stands_for;
  const auto samples = threads_.random().rounded(length_ns / static_cast<double>(span.interval_ns));
  commit(epoch,
         {span.begin_ticks, static_cast<int64_t>(length_ns), state_of(place->does, stack.sleeps),
          static_cast<uint32_t>(samples)},
         fact, stack.fact, SampleContexts::event_of(epoch, context));
}

}  // namespace rec::agent
