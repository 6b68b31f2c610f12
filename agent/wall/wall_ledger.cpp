// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/wall_ledger.h"

#include <algorithm>
#include <utility>

namespace rec::agent {

WallLedger::Over WallLedger::look(const WallLook& look) {
  const int64_t passed_ns = std::max<int64_t>(look.ticks - std::exchange(ticks_, look.ticks), 0);
  const int64_t cpu_ns = std::clamp<int64_t>(look.cpu_ns - std::exchange(cpu_ns_, look.cpu_ns), 0, passed_ns);
  int64_t other_ns = passed_ns - cpu_ns;
  if (cpu_time_ == CpuTime::kHere) ran_due_ns_ += cpu_ns;
  take_waits(look.delay_ns - std::exchange(delay_ns_, look.delay_ns), other_ns);
  take_frozen(look.frozen_ns - std::exchange(frozen_ns_, look.frozen_ns), look, other_ns);
  count_missed(look, cpu_ns, other_ns);

  Over over;
  leave(look, other_ns, over);
  did_ = look.does;
  is_seen_ = true;
  other_due_ns_ += other_ns;
  if (look.does == WallDoes::kStands) {
    if (stands_.place == 0) stands_ = {look.place, look.ticks - other_due_ns_, 0, false};
    stands_.length_ns += std::exchange(other_due_ns_, 0);
    if (ran_missed_ > kPatience || cpu_time_ == CpuTime::kElsewhere) over.ran = take_ran(look.place);
    return over;
  }
  if (other_missed_ > kPatience) ran_due_ns_ += std::exchange(other_due_ns_, 0);
  over.ran = take_ran(look.place);
  return over;
}

// On the average a look would have come so often within this time.
void WallLedger::count_missed(const WallLook& look, int64_t cpu_ns, int64_t other_ns) {
  const bool stands = look.does == WallDoes::kStands;
  const double all_ns = static_cast<double>(std::max<int64_t>(cpu_ns + other_ns, 1));
  ran_missed_ = stands ? ran_missed_ + static_cast<double>(cpu_ns) / all_ns : 0;
  other_missed_ = stands ? 0 : other_missed_ + static_cast<double>(other_ns) / all_ns;
}

// Gives where it was at the last look its part of the time since. Of who waits for a CPU nobody knows yet for how long.
void WallLedger::leave(const WallLook& look, int64_t& other_ns, Over& over) {
  const bool stands = look.does == WallDoes::kStands;
  if (did_ != WallDoes::kStands || (stands && stands_.place == look.place)) return;
  const int64_t left_ns = look.does == WallDoes::kRuns ? other_ns : other_ns / 2;
  other_ns -= left_ns;
  stands_.length_ns += left_ns;
  over.stood = std::exchange(stands_, {});
}

// What the kernel has counted by now may have been taken for other time at the looks before.
void WallLedger::take_waits(int64_t counted_ns, int64_t& other_ns) {
  for (int64_t* from : {&other_due_ns_, &other_ns}) {
    const int64_t taken_ns = std::clamp<int64_t>(counted_ns, 0, *from);
    *from -= taken_ns;
    counted_ns -= taken_ns;
    ran_due_ns_ += taken_ns;
  }
}

// Who stands in one place at both looks stood there meanwhile; else it ran at one of them, or at both.
void WallLedger::take_frozen(int64_t frozen_ns, const WallLook& look, int64_t& other_ns) {
  const int sides_that_ran = (did_ != WallDoes::kStands ? 1 : 0) + (look.does != WallDoes::kStands ? 1 : 0);
  const int64_t taken_ns = std::clamp<int64_t>(frozen_ns, 0, other_ns) * sides_that_ran / 2;
  other_ns -= taken_ns;
  ran_due_ns_ += taken_ns;
}

std::optional<WallSpan> WallLedger::take_ran(uint64_t place) {
  ran_missed_ = 0;
  if (ran_due_ns_ == 0) return {};
  const int64_t ran_ns = std::exchange(ran_due_ns_, 0);
  return WallSpan{place, ticks_ - ran_ns, ran_ns, true};
}

std::optional<WallSpan> WallLedger::cut() {
  if (stands_.place == 0 || stands_.length_ns == 0) return {};
  const WallSpan span = stands_;
  stands_.begin_ticks = ticks_;
  stands_.length_ns = 0;
  return span;
}

WallLedger::Over WallLedger::end(const WallLook& last) {
  const bool was_seen = is_seen_;
  Over over = look(last);
  if (!over.stood) over.stood = cut();
  if (over.ran) ran_due_ns_ += over.ran->length_ns;
  const int64_t other_ns = std::exchange(other_due_ns_, 0);
  if (over.stood) {
    over.stood->length_ns += other_ns;
  } else if (was_seen && other_ns * kLeftShare < ticks_ - begin_ticks_) {
    ran_due_ns_ += other_ns;
  } else {
    over.stood = WallSpan{0, ticks_ - other_ns, other_ns, false};
  }
  over.ran = take_ran(over.stood ? over.stood->place : 0);
  return over;
}

}  // namespace rec::agent
