// SPDX-License-Identifier: Apache-2.0
// How a frame of native code is left: by its table (native_unwind.h); where that is silent, or asks for a register that is
// not known, by its own code, which is followed to its return without being run (docs/native-frames.md). Signal-safe.
#pragma once

#include "agent/hotspot/processor/registers.h"
#include "agent/hotspot/walk/native_modules.h"
#include "agent/hotspot/walk/native_unwind.h"

namespace rec::agent {

enum class NativeStep : uint8_t {
  kCaller,       // registers are those of the caller, behind its call
  kInterrupted,  // of a signal's handler: registers are those of what was interrupted, exactly
  kElsewhere,    // likewise, but on another stack: the handler has had one of its own (sigaltstack)
  kOutermost,    // there is no caller: the thread began here
  kLost,         // nothing tells where the caller is
};

// registers: of the frame; become its caller's, or, without one, undefined. What is not known of them is
// Registers::kUnknown. exact: pc is where the thread stands, and not a return address. A step
// raises sp, by less than 1 MiB; but for kElsewhere.
NativeStep leave_native(const ModuleCursor& modules, Registers& registers, bool exact, NativePlace& place);

// HotSpot's assembly that copies memory (copy_linux_x86_64.S) has no table, and the thread stands in it. False: registers
// are as they were.
bool leave_bare_function(Registers& registers);

// Code of a library; or of whoever else makes some, if it has just called.
bool is_native_code(const ModuleCursor& modules, uint64_t return_pc);

}  // namespace rec::agent
