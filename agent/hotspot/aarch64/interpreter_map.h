// SPDX-License-Identifier: Apache-2.0
// InterpreterMap knows where HotSpot's template interpreter builds its frames and where it takes them down: the two
// places in which x29 does not tell the truth. Both are found once at start, codelet by codelet, by the instructions
// that templateInterpreterGenerator_aarch64.cpp and interp_masm_aarch64.cpp emit.
//
//   entry:  ... | stp x8, x22, [sp, #-96]! | ... | stp x29, x30, [sp, #80] | add x29, sp, #80 | ... | stp xzr, x19, [sp, #64] | ...
//           x12 = Method* throughout, x19 = the caller's sp, x30 = the return address
//
//   exit:   ldr x20, [x29, #-8] | mov sp, x29 | ldp x29, x30, [sp], #16 | and sp, x20, #-16 | ... | ret
//   throw:  likewise, then stp x0, x30, [sp, #-16]! | (ask for the handler) | ldp x0, x30, [sp], #16 | ... | br x1
//
// But for what adds: Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/aarch64/registers.h"
#include "agent/hotspot/processor/interpreter_caller.h"
#include "agent/hotspot/processor/interpreter_table.h"

namespace rec::agent::aarch64 {

// Where a method's frame is under construction.
struct InterpreterEntry {
  uint64_t begin = 0, end = 0;  // the codelet's code
  uint64_t push = 0;            // stp x29, x30; 0: the entry builds no frame
  uint64_t sender_stored = 0;   // behind the store of the caller's sp

  bool builds_frame() const { return push != 0; }
  bool fp_set(uint64_t pc) const { return pc >= push + 8; }
  // The frame pointer is the method's own, but not all slots are filled.
  bool half_built(uint64_t pc, uint64_t, uint64_t) const { return pc < sender_stored; }
  // Before that: the frame pointer is still the caller's.
  InterpreterCaller entering(uint64_t pc, const Registers& registers) const;
  // Where no frame is built. exact: the thread stands at pc, else what it has called there goes on.
  InterpreterCaller frameless(uint64_t pc, uint64_t sp, bool exact, const Registers& registers) const;
  bool sender_sp_stored(uint64_t pc) const { return pc >= sender_stored; }
};

struct InterpreterExit {
  uint64_t after_leave = 0;    // x29 is the caller's, the return address in x30
  uint64_t end = 0;            // behind the return, or the jump
  uint64_t push = 0, pop = 0;  // of throws: the return address goes on the stack, and leaves it; 0: it does not
  bool is_pushed(uint64_t pc) const { return push != 0 && pc > push && pc <= pop; }
  InterpreterCaller leaving(uint64_t pc, uint64_t sp, const Registers& registers) const;
};

class InterpreterMap : public InterpreterTable<InterpreterEntry, InterpreterExit> {
 public:
  // At start, one thread. The code of one method entry; of the whole interpreter.
  void add_entry(uint64_t begin, uint64_t end);
  void add_exits(uint64_t begin, uint64_t end);
};

}  // namespace rec::agent::aarch64
