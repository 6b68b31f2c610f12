// SPDX-License-Identifier: Apache-2.0
// Unwinds one frame of native code exactly, by the unwind tables that every x86-64 library carries (.eh_frame: System V
// ABI 3.7, DWARF 4 section 6.4). Nothing is parsed beforehand: .eh_frame_hdr has a sorted table, and one function's
// program is short. What it says of a pc is remembered (native_rows.h).
//
// HotSpot calls leaf functions (checksums, maths, clocks, GC barriers) without leaving a frame anchor, so this is how a
// walk gets from there back to Java; and it is how native frames are found that samples show. Signal-safe.
#pragma once

#include "agent/hotspot/processor/registers.h"
#include "agent/hotspot/walk/native_modules.h"

namespace rec::agent {

enum class Unwound : uint8_t {
  kCaller,       // registers are those of the caller, behind its call
  kInterrupted,  // of a signal's handler: registers are those of what was interrupted, exactly
  kOutermost,    // there is no caller: the thread began here
  kNoTable,      // no table covers pc
  kFailed,       // the table asks for more than we know, or for memory that is not there
};

// Which function a frame is of: its begin, as the tables have it; without one, the pc itself.
struct NativePlace {
  uint16_t library = kNoLibrary;
  uint64_t address = kUnknownCode;  // as the library's file has it
};

// registers: of the frame; become its caller's, or, without one, undefined. exact: pc is where the thread stands, and
// not a return address.
Unwound unwind_native(const ModuleCursor& modules, Registers& registers, bool exact, NativePlace& place);

// Of an instruction, which need not be on a stack.
NativePlace native_place_of(const NativeModules& modules, uint64_t pc);

// False when there is no caller, or none is found.
bool unwind_native(const ModuleCursor& modules, Registers& registers, bool top);

}  // namespace rec::agent
