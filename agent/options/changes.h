// SPDX-License-Identifier: Apache-2.0
// What becomes of the options of a recording when it is told something else while it runs (the command `set`).
#pragma once

#include <vector>

#include "agent/options/options.h"

namespace rec::agent {

// One clock, as options have it.
struct ClockWish {
  bool named = false;
  int64_t interval = 0;  // in the clock's unit

  friend bool operator==(const ClockWish&, const ClockWish&) = default;
};

// setting: of a clock.
ClockWish clock_wish(const Options& options, Setting setting);
void set_clock_wish(Options& options, Setting setting, const ClockWish& wish);

// The same, with the clocks that run all named, whatever named them before (that of the CPU runs where no other is named).
Options with_clocks_named(Options options);

// `running` with each setting that `changes` names; its clocks are all named then.
Options with_changes(const Options& running, const Options& changes);

// `wanted`, and beside it the clocks that run in `running` only: what a recording records while clocks start and none
// has stopped yet.
Options without_stops(const Options& running, const Options& wanted);

// `base` with all that any of these asks for, each as fine as the finest of them: what several recordings share.
Options with_finest(const Options& base, const std::vector<Options>& asked);

}  // namespace rec::agent
