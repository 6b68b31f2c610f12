// SPDX-License-Identifier: Apache-2.0
// The code that a signal's handler returns to has no unwinding table that tells the interrupted pc: that and all registers lie
// in the frame that the kernel has made (struct rt_sigframe: arch/arm64/kernel/signal.c; DWARF has no number for pc). Signal-safe.
//
//   sp -> | siginfo, 128 | flags, link, stack: 40 | mask, 128 | 8 | fault's address | x0 ... x30 | sp | pc | ...
//                                                                 304 bytes above sp
#pragma once

#include "agent/hotspot/aarch64/registers.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::aarch64 {

// At mov x8, #139 (rt_sigreturn); svc #0. registers: become those that were interrupted. False: it is something else.
inline bool leave_signal_frame(Registers& registers) {
  constexpr uint32_t kNumber = 0xd2801168, kCall = 0xd4000001;
  constexpr uint64_t kSaved = 312;
  if (u32_at(registers.pc()) != kNumber || u32_at(registers.pc() + 4) != kCall) return false;
  const uint64_t from = registers.sp() + kSaved;
  for (size_t i = 0; i < Registers::kCount; ++i)
    if (!load64(from + 8 * i, registers.values[i])) return false;
  return true;
}

}  // namespace rec::agent::aarch64
