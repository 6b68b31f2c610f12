// SPDX-License-Identifier: Apache-2.0
// Return addresses as they lie on stacks, some processors' with a signature (registers.h). Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/registers.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

// The one at this address; 0: it cannot be read.
inline uint64_t return_at(uint64_t address) { return without_signature(u64_at(address)); }

}  // namespace rec::agent
