// SPDX-License-Identifier: Apache-2.0
// Which monitors the frames of a thread outside of Java hold, in the order in which HotSpot prints them: from the innermost
// frame, the one entered last first (javaVFrame::print_lock_info_on, src/hotspot/share/runtime/vframe.cpp).
//
//   interpreted frames   their array of locks
//   compiled ones        debug information of the call that they are in (scope_monitors.h)
//
// A word of a stack is no proof of an object. What it leads to has to be one (object_class.h), and, unless the compiler
// did without the lock, its mark has to say that it is locked; else the monitor is left out. So are those of native
// methods that are synchronized and compiled. Ordinary threads; the thread may move: look at its place again afterwards.
#pragma once

#include <vector>

#include "agent/hotspot/walk/held_monitor.h"
#include "agent/hotspot/walk/outside_walk.h"

namespace rec::agent {

// Of the walk that was confirmed last.
std::vector<MonitorSlot> find_monitors(const VmCode& vm, const OutsideWalk& walk);

std::vector<HeldMonitor> read_monitors(const Layout& layout, const std::vector<MonitorSlot>& slots);

}  // namespace rec::agent
