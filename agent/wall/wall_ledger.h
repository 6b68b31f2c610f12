// SPDX-License-Identifier: Apache-2.0
// WallLedger keeps account of one thread's time: of every nanosecond that it lives, one sample knows. A look at it tells
// how much CPU time it has used by now, and what it does at this moment: it runs, it waits for a CPU, or it stands still.
//
//      look            look             look            look
//   ----|===sleeps======|---?---runs--?--|===sleeps======|---->      CPU time is exact; when it woke is not known
//
//   time on a CPU       is exact. As a rule the thread's own clock writes where it was, and it is taken off here. Where it
//                       has none, it goes to the next look that finds the thread running or waiting for a CPU
//   waits for a CPU     that it had, and lost: time that it ran. One that waits to go on from where it stood stands there
//   other time          goes to where the thread was: half of it to each side when it was elsewhere at the last look, all of
//                       it to one side if it ran on the other. So does the time in which the whole process stood still
//
// So the sums of both are right whenever somebody looks, and the parts are as right as looks at random moments make them.
// A look at a random moment finds a thread running as often as it runs: a time is kept for such a look until it should have
// come kPatience times. One that is never found running, though it runs, then has that time written where it stands. One
// that is always found running has all of its time.
//
// Times are ns; ticks are those of CLOCK_MONOTONIC. One thread. Needs no JVM.
#pragma once

#include <cstdint>
#include <optional>

namespace rec::agent {

enum class WallDoes : uint8_t { kRuns, kWaitsForCpu, kStands };

struct WallLook {
  int64_t ticks = 0, cpu_ns = 0, delay_ns = 0;  // its life's: on a CPU, and waiting for one that it had
  int64_t frozen_ns = 0;                        // for which all of the process stood still, since any moment
  WallDoes does = WallDoes::kStands;
  uint64_t place = 0;  // a number for its stack and state; 0: only itself can know it, and it does not stand
};

// A time that is to be written as one sample.
struct WallSpan {
  uint64_t place = 0;  // 0: nobody knows; of one that ran, its stack is to be asked for
  int64_t begin_ticks = 0, length_ns = 0;
  bool ran = false;  // or waited for a CPU
};

class WallLedger {
 public:
  static constexpr double kPatience = 6;    // looks that should have come, and did not
  static constexpr int64_t kLeftShare = 8;  // of its life, in other time that no look has met: it stood

  // Who writes it. Where the thread's own clock does, it writes waits for a CPU, too: these are over at each look.
  enum class CpuTime : uint8_t { kHere, kElsewhere };

  WallLedger(CpuTime cpu_time, int64_t begin_ticks, int64_t cpu_ns, int64_t delay_ns, int64_t frozen_ns = 0)
      : cpu_time_(cpu_time),
        begin_ticks_(begin_ticks),
        ticks_(begin_ticks),
        cpu_ns_(cpu_ns),
        delay_ns_(delay_ns),
        frozen_ns_(frozen_ns) {}

  // The place where it stands has another number: it has not moved.
  void stands_at(uint64_t place) {
    if (stands_.place != 0) stands_.place = place;
  }

  // What is over with this look, at most two spans: the place that was left, and time on a CPU. look() comes at least as
  // late as the one before.
  struct Over {
    std::optional<WallSpan> stood, ran;
  };
  Over look(const WallLook& look);

  // The place where it stands, up to the last look, as a span of its own; from there on it begins anew.
  std::optional<WallSpan> cut();

  // Time that it ran and that was not written after all: nobody answered.
  void give_back(int64_t ran_ns) { ran_due_ns_ += ran_ns; }
  // All that is left, at the thread's or the recording's end.
  Over end(const WallLook& look);

  int64_t standing_ns() const { return stands_.length_ns; }  // since it was last cut, or came here
  int64_t last_ticks() const { return ticks_; }

 private:
  void count_missed(const WallLook& look, int64_t cpu_ns, int64_t other_ns);
  void leave(const WallLook& look, int64_t& other_ns, Over& over);
  void take_waits(int64_t counted_ns, int64_t& other_ns);
  void take_frozen(int64_t frozen_ns, const WallLook& look, int64_t& other_ns);
  std::optional<WallSpan> take_ran(uint64_t place);

  const CpuTime cpu_time_;
  const int64_t begin_ticks_;
  int64_t ticks_, cpu_ns_, delay_ns_, frozen_ns_;  // of the last look,
  WallDoes did_ = WallDoes::kRuns;
  bool is_seen_ = false;                       // if there was one
  WallSpan stands_;                            // while did_ is kStands
  int64_t ran_due_ns_ = 0, other_due_ns_ = 0;  // which no look has fitted yet,
  double ran_missed_ = 0, other_missed_ = 0;   // though so many should have
};

}  // namespace rec::agent
