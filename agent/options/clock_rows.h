// SPDX-License-Identifier: Apache-2.0
// Options of the clocks: each names one, with its interval. For option_table.cpp alone.
#pragma once

#include "agent/options/option_table.h"
#include "recorder/spool/limits.h"

namespace rec::agent {

// An interval that is off, or not given, leaves the one that there was.
inline void set_clock(const OptionValue& value, bool& named, int64_t& interval) {
  named = value.number != kOff;
  if (named && value.number != kNotGiven) interval = value.number;
}

inline constexpr OptionRow kIntervalRow = {
    .key = "interval",
    .synonym = "period",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultPeriodNs,
    .what =
        "CPU time between two samples of a thread. A number without a unit counts nanoseconds. Below the kernel's tick "
        "perf's clock may be taken (see cpu-clock). Of no other clock: these have their own, wall=20ms.",
    .smallest = 50'000,
    .largest = 3600'000'000'000,
    .bare_unit_ns = 1,
    .set = [](Options& o, const OptionValue& v) { o.period_ns = v.number, o.set_interval_given(Setting::kCpu); }};

inline constexpr OptionRow kCpuRow = {
    .key = "cpu",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultPeriodNs,
    .what =
        "Sample CPU time, with this interval: event=cpu and interval in one; the key alone leaves interval as it is. "
        "off: not, also where no other clock is named; the recording may be told later (set).",
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
        "was meanwhile (jdk.JavaMonitorEnter), to be notified (jdk.JavaMonitorWait), parks (jdk.ThreadPark, "
        "jdk.VirtualThreadPinned) and sleeps (jdk.ThreadSleep). Shorter ones are counted and added up; 0 writes all. A "
        "number without a unit counts nanoseconds. off as cpu.",
    .largest = 3600'000'000'000,
    .may_stand_alone = true,
    .bare_unit_ns = 1,
    .can_be_off = true,
    .setting = Setting::kLock,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_lock, o.lock_ns); }};

inline constexpr OptionRow kSpansRow = {.key = "spans",
                                        .synonym = "",
                                        .kind = OptionKind::kDuration,
                                        .default_number = kDefaultSpansNs,
                                        .what =
                                            "Write each span of the application that took as long, or longer "
                                            "(rec.Span). Shorter ones are counted and added "
                                            "up; 0 writes all.",
                                        .largest = 3600'000'000'000,
                                        .set = [](Options& o, const OptionValue& v) { o.spans_ns = v.number; }};

inline constexpr OptionRow kNativememRow = {
    .key = "nativemem",
    .synonym = "",
    .kind = OptionKind::kSize,
    .default_number = kDefaultAllocBytes,
    .what =
        "Sample native memory: a call of malloc or the like each so many bytes that a thread allocates by them, on the "
        "average, by any library and the JVM itself (profiler.Malloc), and its end (profiler.Free): what has none "
        "has leaked. Missing are calls by pointers from dlsym, but for those that the JVM has looked up meanwhile "
        "(downcalls of java.lang.foreign). 0 or all: each call. Alone it samples no CPU time; for both: cpu,nativemem. "
        "off as cpu.",
    .largest = 1 << 30,
    .zero_is_off = true,
    .zero_word = "all",
    .may_stand_alone = true,
    .can_be_off = true,
    .setting = Setting::kNativemem,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_nativemem, o.nativemem_bytes); }};

inline constexpr OptionRow kNofreeRow = {
    .key = "nofree",
    .synonym = "",
    .kind = OptionKind::kWord,
    .default_text = "",
    .what = "Of nativemem: the ends of allocations are not recorded, and leaks cannot be told. It costs less.",
    .set = [](Options& o, const OptionValue&) { o.follows_frees = false; }};

inline constexpr OptionRow kExceptionsRow = {
    .key = "exceptions",
    .synonym = "",
    .kind = OptionKind::kCount,
    .default_number = kDefaultExceptions,
    .what =
        "Write exceptions and errors when they are made (jdk.JavaExceptionThrow), with class and stack: about so "
        "many a second, by chance, each with how many it stands for; 0 writes each. All that have "
        "a stack trace are counted (jdk.ExceptionStatistics). off as cpu.",
    .largest = 1'000'000,
    .may_stand_alone = true,
    .can_be_off = true,
    .setting = Setting::kExceptions,
    .set = [](Options& o, const OptionValue& v) { set_clock(v, o.names_exceptions, o.exceptions_per_second); }};

}  // namespace rec::agent
