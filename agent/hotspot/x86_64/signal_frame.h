// SPDX-License-Identifier: Apache-2.0
// The code that a signal's handler returns to has an unwinding table, which tells all registers, pc as well. Signal-safe.
#pragma once

#include "agent/hotspot/x86_64/registers.h"

namespace rec::agent::x86_64 {

inline bool leave_signal_frame(Registers&) { return false; }

}  // namespace rec::agent::x86_64
