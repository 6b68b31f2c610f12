// SPDX-License-Identifier: Apache-2.0
// Unwinds one frame of native code exactly, by the unwind tables that every x86-64 library carries (.eh_frame: System V
// ABI 3.7, DWARF 4 section 6.4). Nothing is parsed beforehand: .eh_frame_hdr has a sorted table, and one function's
// program is short.
//
// HotSpot calls leaf functions (checksums, maths, clocks, GC barriers) without leaving a frame anchor, so this is how a
// walk gets from there back to Java. Signal-safe.
#pragma once

#include "agent/hotspot/walk/native_modules.h"
#include "agent/hotspot/x86_64/registers.h"

namespace rec::agent {

// registers: of the frame; become its caller's. top: pc is where the thread stands, not a return address. False when
// there is no table for pc or it asks for more than we know; registers are then undefined.
bool unwind_native(const NativeModules& modules, Registers& registers, bool top);

}  // namespace rec::agent
