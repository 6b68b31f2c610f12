// SPDX-License-Identifier: Apache-2.0
// CpuWaits are the waits of one thread for a CPU. The kernel counts all of them as one time (schedstat), and each begins as
// the thread loses its CPU, where it runs, or as it wakes, where it slept. Here they are shared out between the two.
//
// Where it did nothing but wake since the last look, or nothing but lose its CPU, the counts of its switches tell it. Where it
// did both, the counts make a guess: the kernel lets one that wakes run sooner. How good the guess is, looks at random
// moments tell: one finds the thread in either wait as often as it is in it, so that the share of looks is that of the time.
//
// In native code and in the VM itself who is ready to run may have lost its CPU, or woken from a system call. A thread loses its
// CPU there and in Java alike, by how long it runs in either; in Java nobody sleeps, and each such wait is of that kind.
//
// A thread that yields loses its CPU by its own will: it waits where it yields, as a look that finds it there tells, and
// each of the two looks at both ends of a time has half.
//
// Times are ns. One thread. Needs no JVM.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/process/os_state.h"

namespace rec::agent {

class CpuWaits {
 public:
  enum class Began : uint8_t { kAsItLostItsCpu, kAsItWoke };

  // From now on: what the kernel has counted so far.
  void begin(int64_t counted_ns) { counted_ns_ = counted_ns; }

  // It has waited of late for so long that finding its waits out is worth the price. One that goes on is not counted yet.
  bool matter() const { return looks_that_matter_ > 0; }
  // What a look has found. looks: intervals since the one before. Outside: in native code, or the VM; blocked: where that sleeps.
  enum class Where : uint8_t { kInJava, kOutside, kBlocked };
  void found_running(Where where, double looks);
  void found_waiting(Where where, Began began, double looks);
  // How likely one that is ready to run outside of Java has lost its CPU. now: its switches, which tell where no look does.
  double chance_of_lost(const std::optional<Switches>& now) const;

  // What the kernel has counted now. switches: asked for where the waits since are worth it, it tells of the thread's life.
  // slept: it stood at the last look, so that it has woken since. lost_all: all threads waited, and who ran lost its CPU.
  struct Since {
    bool slept = false, lost_all = false;
    bool yielded = false, yields = false;  // at the last look, and now
  };
  template <class SwitchesNow>
  void count(int64_t counted_ns, const Since& since, SwitchesNow&& switches) {
    const int64_t waited_ns = take(counted_ns);
    if (waited_ns >= kWorthSharing) share(waited_ns, since, switches());
  }

  int64_t lost_ns() const { return lost_ns_; }  // of its life: waits for a CPU that it had before

 private:
  static constexpr int64_t kWorthSharing = 500'000;  // ns. Shorter ones may be waits for the one that looks

  int64_t take(int64_t counted_ns);
  void share(int64_t waited_ns, const Since& since, const std::optional<Switches>& now);
  double lost_share(double waited_ns, double guessed);
  double odds_of_guess() const;
  void forget_half();

  int looks_that_matter_ = 0;  // from now on
  int64_t counted_ns_ = 0, lost_ns_ = 0;
  // Of the time that is remembered: looks that found it out, and waits, of which the counts said all, nothing, or a part.
  struct Seen {
    double lost_looks = 0, woke_looks = 0;
    double lost_in_java = 0, ready_outside = 0;  // of these
    double ran_in_java = 0, ran_outside = 0;
    double lost_ns = 0, woke_ns = 0, mixed_ns = 0;
    double guessed_ns = 0;  // of mixed_ns: lost
  } seen_;
  std::optional<Switches> switches_;  // when they were last read
};

}  // namespace rec::agent
