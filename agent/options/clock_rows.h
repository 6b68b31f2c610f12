// SPDX-License-Identifier: Apache-2.0
// Options of the clocks: each names one, with its interval. For option_table.cpp alone.
#pragma once

#include "agent/options/option_table.h"
#include "recorder/spool/limits.h"

namespace rec::agent {

// An interval that is off leaves the one that there was.
inline void set_clock(const OptionValue& value, bool& named, int64_t& interval) {
  named = value.number != kOff;
  if (named) interval = value.number;
}

inline constexpr OptionRow kCpuRow = {
    .key = "cpu",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultPeriodNs,
    .what =
        "Sample CPU time, with this interval: event=cpu and interval in one. off: not, also where no other clock is "
        "named; the recording may be told later (set).",
    .smallest = 50'000,
    .largest = 3600'000'000'000,
    .may_stand_alone = true,
    .can_be_off = true,
    .setting = Setting::kCpu,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_cpu, o.period_ns); }};

inline constexpr OptionRow kAllocRow = {
    .key = "alloc",
    .synonym = "",
    .kind = OptionKind::kSize,
    .default_number = kDefaultAllocBytes,
    .what =
        "Sample allocations (jdk.ObjectAllocationSample): an object each so many bytes that a thread allocates, on "
        "the average, with its class, its stack and the bytes that it stands for. Alone it samples no CPU time; "
        "for both: cpu,alloc. One agent at a time can have that of the JVM. off as cpu.",
    .smallest = 1 << 10,
    .largest = 1 << 30,
    .may_stand_alone = true,
    .can_be_off = true,
    .setting = Setting::kAlloc,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_alloc, o.alloc_bytes); }};

inline constexpr OptionRow kWallRow = {
    .key = "wall",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultWallNs,
    .what =
        "Sample all of the time of Java's threads, also when they sleep, wait or are blocked "
        "(profiler.WallClockSample), with this interval. Alone it samples no CPU time; for both: cpu,wall. off "
        "as cpu.",
    .smallest = 1'000'000,
    .largest = 60'000'000'000,
    .may_stand_alone = true,
    .can_be_off = true,
    .setting = Setting::kWall,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_wall, o.wall_ns); }};

inline constexpr OptionRow kLiveRow = {
    .key = "live",
    .synonym = "",
    .kind = OptionKind::kSize,
    .default_number = kDefaultAllocBytes,
    .what =
        "Sample objects as alloc does, and write those that a collection has passed over and that are alive when "
        "the recording ends or is dumped (jdk.OldObjectSample). Beside alloc, or without it. off "
        "as cpu.",
    .smallest = 1 << 10,
    .largest = 1 << 30,
    .may_stand_alone = true,
    .can_be_off = true,
    .setting = Setting::kLive,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_live, o.live_bytes); }};

inline constexpr OptionRow kLockRow = {
    .key = "lock",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultLockNs,
    .what =
        "Write each wait for a lock that took as long, or longer: for synchronized, with who held it and where that "
        "was meanwhile (jdk.JavaMonitorEnter), to be notified (jdk.JavaMonitorWait), and parks (jdk.ThreadPark). "
        "Shorter ones are counted and added up; 0 writes all. A number without a unit counts nanoseconds. off as cpu.",
    .largest = 3600'000'000'000,
    .may_stand_alone = true,
    .bare_unit_ns = 1,
    .can_be_off = true,
    .setting = Setting::kLock,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_lock, o.lock_ns); }};

}  // namespace rec::agent
