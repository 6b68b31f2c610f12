// SPDX-License-Identifier: Apache-2.0
// Options of what is read at an interval. For option_table.cpp alone.
#pragma once

#include "agent/options/option_table.h"

namespace rec::agent {

inline constexpr OptionRow kStatisticsRow = {
    .key = "statistics",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultStatisticsNs,
    .what =
        "Time between two looks at what the process uses, in JFR's events: each thread's load and allocations, "
        "threads, classes, memory, control group. With it the heap's use before and after each collection. 0 or off: "
        "none.",
    .smallest = 100'000'000,
    .largest = 3600'000'000'000,
    .zero_is_off = true,
    .setting = Setting::kStatistics,
    .set = [](Options& o, const OptionValue& v) { o.statistics_ns = v.number; }};

inline constexpr OptionRow kBlackboxRow = {
    .key = "blackbox",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultBlackboxNs,
    .what =
        "Time between two notes of the process' memory and its control group's, for the case that it is killed for "
        "memory: jrec view oom tells what grew. 0 or off: none.",
    .smallest = 100'000'000,
    .largest = 3600'000'000'000,
    .zero_is_off = true,
    .setting = Setting::kBlackbox,
    .set = [](Options& o, const OptionValue& v) { o.blackbox_ns = v.number; }};

inline constexpr OptionRow kThreadDumpRow = {
    .key = "threaddump",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .what =
        "Time between two thread dumps in the recording (jdk.ThreadDump), taken without a safepoint; 0 none. A "
        "number without a unit counts seconds.",
    .smallest = 100'000'000,
    .largest = 36500 * 86'400'000'000'000,
    .zero_is_off = true,
    .bare_unit_ns = 1'000'000'000,
    .setting = Setting::kThreadDump,
    .set = [](Options& o, const OptionValue& v) { o.thread_dump_ns = v.number; }};

}  // namespace rec::agent
