// SPDX-License-Identifier: Apache-2.0
#include "agent/statistics/black_box.h"

#include <algorithm>

#include "agent/process/memory_figures.h"
#include "base/clock.h"
#include "recorder/chunk/statistics_events.h"

namespace rec::agent {
namespace {

using jfr::TypeId;

constexpr int64_t kUsualShare = 2000, kUrgentShare = 100;  // a part of one processor

}  // namespace

void BlackBox::open(int64_t interval_ns) {
  interval_ns_ = interval_ns;
  next_ticks_ = 0;
  if (interval_ns == 0) return;
  const AddressRange heap = sources_.heap.reserved(), code = code_cache_range();
  places_ = {heap.begin, heap.end, code.begin, code.end};
}

void BlackBox::tend() {
  const int64_t now = base::now_ticks();
  if (interval_ns_ == 0 || now < next_ticks_) return;
  next_ticks_ = now + interval_ns_;
  look(now);
}

void BlackBox::last_look() {
  if (interval_ns_ != 0) look(base::now_ticks());
}

void BlackBox::look(int64_t now) {
  const ResidentMemory resident = read_resident_memory();
  const GroupMemory group = sources_.group.memory();
  const VmCounts counts = sources_.counters.read();
  const int64_t used = sources_.heap.known() ? sources_.heap.used() : counts.heap_used;
  write_figures(TypeId::kRecMemoryUse, now,
                figures({resident.now, resident.peak, used, counts.heap_committed, counts.metaspace_used,
                         counts.metaspace_committed, group.usage, group.inactive, group.with_swap, group.limit,
                         group.swap_limit, group.failures, group.oom_kills, group.stalled_us}));
  const int64_t share = matters(resident.now, group) ? kUrgentShare : kUsualShare;
  if (kinds_ticks_ == 0 || now - kinds_ticks_ >= kinds_cost_ns_ * share) write_kinds(now, resident.now);
}

bool BlackBox::matters(int64_t resident, const GroupMemory& group) const {
  constexpr int64_t kTwentieth = 20, kTenth = 10;
  if (resident > kinds_resident_ + kinds_resident_ / kTwentieth) return true;
  if (group.limit == kNotTold || group.usage == kNotTold) return false;
  return group.usage - std::max<int64_t>(group.inactive, 0) > group.limit - group.limit / kTenth;
}

void BlackBox::write_kinds(int64_t now, int64_t resident) {
  const int64_t begin_ns = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  MemorySums sums(places_);
  const bool known = read_memory_map(sums);
  kinds_cost_ns_ = base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
  kinds_ticks_ = now;
  kinds_resident_ = resident;
  if (!known) return;
  const auto of = [&](MemoryKind kind) { return sums.of(kind); };
  write_figures(TypeId::kRecMemoryKinds, now,
                figures({of(MemoryKind::kHeap), of(MemoryKind::kCode), of(MemoryKind::kStacks), of(MemoryKind::kNative),
                         of(MemoryKind::kFiles), of(MemoryKind::kShared), sums.swapped(), kinds_cost_ns_}));
}

}  // namespace rec::agent
