// SPDX-License-Identifier: Apache-2.0
// What numbers as by chance (chance.h) begin with: runs that have the same ones err alike, and their mean is no better than
// one of them.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace rec::agent {

inline uint64_t chance_of_now() { return static_cast<uint64_t>(base::now_ticks()); }

}  // namespace rec::agent
