// SPDX-License-Identifier: Apache-2.0
// What recordings that are compared have samples of. Two clocks see one program differently: shares by one say nothing of those by
// the other.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/input/recording.h"

namespace jrec {

// The kind itself, where all recordings would show the same type of it, or none is in all of them; else the first type that all have
// events of. They are open.
std::string event_of_all(const std::vector<Recording*>& recordings, const std::string& kind);

// "jdk.ExecutionSample by rec": samples of time are told with who took them, which rec, async-profiler and JFR do differently under
// one name. Of a recording that is put together of several the first chunk tells.
std::string clock_of(Recording& recording, const std::string& event_type);

// A sentence that the clocks of the sides, as clock_of has them, are not the same; empty: they are, or a side has none.
std::string words_of_clocks(const std::set<std::string>& before, const std::set<std::string>& after);

}  // namespace jrec
