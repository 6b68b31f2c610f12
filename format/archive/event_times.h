// SPDX-License-Identifier: Apache-2.0
// When the events of a chunk start: not all of them within it.
#pragma once

#include <cstdint>
#include <span>

namespace jfr::archive {

struct EventReach {
  uint64_t early_ns = 0, late_ns = 0;  // as in a Part (format/archive/member.h)
};

// chunk: all of its bytes. kNobodyKnows where an event cannot be read.
EventReach event_reach(std::span<const uint8_t> chunk);

}  // namespace jfr::archive
