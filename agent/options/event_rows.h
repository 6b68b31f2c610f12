// SPDX-License-Identifier: Apache-2.0
// Options of clocks that write what happens, each event or some by chance. For option_table.cpp alone.
#pragma once

#include "agent/options/option_table.h"

namespace rec::agent {

inline constexpr OptionRow kLockRow = {
    .key = "lock",
    .synonym = "",
    .kind = OptionKind::kDuration,
    .default_number = kDefaultLockNs,
    .what =
        "Write each wait for a lock that took as long, or longer: for synchronized, with who held it and where that "
        "was "
        "meanwhile (jdk.JavaMonitorEnter), to be notified (jdk.JavaMonitorWait), parks (jdk.ThreadPark, "
        "jdk.VirtualThreadPinned) and sleeps (jdk.ThreadSleep). Shorter "
        "ones are counted and added up; 0 writes all. A number without a unit counts nanoseconds.",
    .largest = 3'600'000'000'000,
    .may_stand_alone = true,
    .bare_unit_ns = 1,
    .set = [](Options& o, const OptionValue& v) { o.names_lock = true, o.lock_ns = v.number; }};

inline constexpr OptionRow kExceptionsRow = {
    .key = "exceptions",
    .synonym = "",
    .kind = OptionKind::kCount,
    .default_number = kDefaultExceptions,
    .what =
        "Write exceptions and errors when they are made (jdk.JavaExceptionThrow), with class and stack: about so "
        "many a second, by chance, each with how many it stands for; 0 writes each. All are counted "
        "(jdk.ExceptionStatistics).",
    .largest = 1'000'000,
    .may_stand_alone = true,
    .set = [](Options& o, const OptionValue& v) { o.names_exceptions = true, o.exceptions_per_second = v.number; }};

}  // namespace rec::agent
