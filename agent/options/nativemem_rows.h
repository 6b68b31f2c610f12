// SPDX-License-Identifier: Apache-2.0
// The rows of the option table (option_table.cpp) that concern native memory.
#pragma once

#include "agent/options/option_table.h"

namespace rec::agent {

inline constexpr OptionRow kNativememRow = {
    .key = "nativemem",
    .synonym = "",
    .kind = OptionKind::kSize,
    .default_number = kDefaultAllocBytes,
    .what =
        "Sample native memory: a call of malloc or the like each so many bytes that a thread allocates by them, on the "
        "average, by any library and the JVM itself (profiler.Malloc), and its end (profiler.Free): what has none "
        "has leaked. 0 or all: each call. Alone it samples no CPU time; for both: cpu,nativemem.",
    .largest = 1 << 30,
    .zero_is_off = true,
    .zero_word = "all",
    .may_stand_alone = true,
    .set = [](Options& o, const OptionValue& v) { o.names_nativemem = true, o.nativemem_bytes = v.number; }};

inline constexpr OptionRow kNofreeRow = {
    .key = "nofree",
    .synonym = "",
    .kind = OptionKind::kWord,
    .default_text = "",
    .what = "Of nativemem: the ends of allocations are not recorded, and leaks cannot be told. It costs less.",
    .set = [](Options& o, const OptionValue&) { o.follows_frees = false; }};

}  // namespace rec::agent
