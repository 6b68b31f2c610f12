// SPDX-License-Identifier: Apache-2.0
// Loops of a method, by its bytecodes (JVMS 6.5), also as HotSpot has rewritten them (src/hotspot/share/interpreter/
// bytecodes.hpp). Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Whether a jump back leads over the bytecode. False, too: the method is long, or has bytecodes that are not known.
bool is_in_loop(const Layout& layout, uint64_t method, int32_t bci);

}  // namespace rec::agent
