// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/cpu_waits.h"

#include <algorithm>
#include <utility>

namespace rec::agent {
namespace {

constexpr int kLooksThatMatter = 8;   // behind a wait
constexpr double kLossOfWake = 2;     // a wait of one that lost its CPU, by that of one that woke: a guess,
constexpr double kLooksOfGuess = 3;   // which weighs as so many looks
constexpr double kMostLooks = 100;    // a program changes: what was found long ago weighs less
constexpr double kLeastShare = 0.02;  // of either kind, so that there are odds

// Of the waits since the last look those that began as it lost its CPU, as the counts have it.
double guess(const std::optional<Switches>& before, const std::optional<Switches>& now, bool slept) {
  const bool known = before && now;
  const double woke = (slept ? 1 : 0) + (known ? static_cast<double>(now->voluntary - before->voluntary) : 0);
  const double lost = kLossOfWake * (known ? static_cast<double>(now->preempted - before->preempted) : 1);
  return woke > 0 ? lost / (woke + lost) : 1;
}

}  // namespace

void CpuWaits::found_running(Where where, double looks) {
  (where == Where::kInJava ? seen_.ran_in_java : seen_.ran_outside) += looks;
}

void CpuWaits::found_waiting(Where where, Began began, double looks) {
  (began == Began::kAsItWoke ? seen_.woke_looks : seen_.lost_looks) += looks;
  if (where == Where::kInJava) seen_.lost_in_java += looks;
  if (where == Where::kOutside) seen_.ready_outside += looks;
  if (seen_.lost_looks + seen_.woke_looks > kMostLooks) forget_half();
}

double CpuWaits::chance_of_lost(const std::optional<Switches>& now) const {
  const double guessed = guess(switches_, now, false);
  const double in_java = seen_.ran_in_java + seen_.lost_in_java;
  if (guessed == 1 || in_java < kLooksOfGuess) return guessed;
  const double lost = seen_.lost_in_java * seen_.ran_outside / std::max(seen_.ran_in_java, 1.0);
  return std::min(1.0, (lost + kLooksOfGuess * guessed) / (seen_.ready_outside + kLooksOfGuess));
}

void CpuWaits::forget_half() {
  for (double* each :
       {&seen_.lost_looks, &seen_.woke_looks, &seen_.lost_in_java, &seen_.ready_outside, &seen_.ran_in_java,
        &seen_.ran_outside, &seen_.lost_ns, &seen_.woke_ns, &seen_.mixed_ns, &seen_.guessed_ns})
    *each /= 2;
}

int64_t CpuWaits::take(int64_t counted_ns) {
  const int64_t waited_ns = std::max<int64_t>(counted_ns - counted_ns_, 0);
  counted_ns_ += waited_ns;
  looks_that_matter_ = waited_ns >= kWorthSharing ? kLooksThatMatter : std::max(looks_that_matter_ - 1, 0);
  return waited_ns;
}

void CpuWaits::share(int64_t waited_ns, const Since& since, const std::optional<Switches>& now) {
  double guessed = guess(std::exchange(switches_, now), now, since.slept);
  if (since.lost_all && guessed > 0) guessed = 1;
  const auto waited = static_cast<double>(waited_ns);
  const double yielding = (since.yielded ? 0.5 : 0) + (since.yields ? 0.5 : 0);
  lost_ns_ += static_cast<int64_t>(waited * lost_share(waited, guessed) * (1 - yielding));
}

double CpuWaits::lost_share(double waited_ns, double guessed) {
  const bool is_mixed = guessed > 0 && guessed < 1;
  (is_mixed ? seen_.mixed_ns : guessed > 0 ? seen_.lost_ns : seen_.woke_ns) += waited_ns;
  if (!is_mixed) return guessed;
  seen_.guessed_ns += guessed * waited_ns;
  const double odds = odds_of_guess() * guessed / (1 - guessed);
  return odds / (1 + odds);
}

// How much more likely a wait of the mixed ones began as it lost its CPU than the guess has it.
double CpuWaits::odds_of_guess() const {
  const double all_ns = seen_.lost_ns + seen_.woke_ns + seen_.mixed_ns;
  const double guessed = (seen_.lost_ns + seen_.guessed_ns) / all_ns;
  const double looks = seen_.lost_looks + seen_.woke_looks + kLooksOfGuess;
  const double found = (seen_.lost_looks + kLooksOfGuess * guessed) / looks;
  const double lost = std::clamp((found * all_ns - seen_.lost_ns) / seen_.mixed_ns, kLeastShare, 1 - kLeastShare);
  const double lost_guessed = seen_.guessed_ns / seen_.mixed_ns;
  return lost / (1 - lost) * (1 - lost_guessed) / lost_guessed;
}

}  // namespace rec::agent
