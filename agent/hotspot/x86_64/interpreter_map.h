// SPDX-License-Identifier: Apache-2.0
// InterpreterMap knows where HotSpot's template interpreter builds its frames and where it takes them down: the two
// places in which rbp does not tell the truth. Both are found once at start, codelet by codelet, by the instructions
// that templateInterpreter_x86 emits.
//
//   entry:  ... pop rax | lea r14,[rsp+rcx*8-8] | (zero locals) | push rax | push rbp | mov rbp,rsp | push r13 | ...
//                         |------ return address in rax -------|
//           rbx = Method* throughout, r13 = the caller's sp; before the pop the return address is at [rsp]
//
//   exit:   mov rbx,[rbp-8] | leave | pop r13 | mov rsp,rbx | ... | jmp r13
//           (other registers for native methods)
//   throw:  mov rbx,[rbp-8] | leave | pop rdx | mov rsp,rbx | ... | push rax | push rdx | (ask for the handler) | ...
//           mov rbx,rax | pop rdx | pop rax | jmp rbx
//
// But for what adds: Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/interpreter_caller.h"
#include "agent/hotspot/processor/interpreter_table.h"
#include "agent/hotspot/x86_64/frame_slots.h"
#include "agent/hotspot/x86_64/registers.h"

namespace rec::agent::x86_64 {

// Where a method's frame is under construction.
struct InterpreterEntry {
  uint64_t begin = 0, end = 0;  // the codelet's code
  uint64_t pop = 0;             // the return address leaves the stack here; 0: it never does, the entry builds no frame
  uint64_t push = 0;            // and comes back here: push rax, push rbp, mov rbp,rsp, push r13

  bool builds_frame() const { return push != 0; }
  // The frame pointer is the method's own, but not all slots are filled.
  bool half_built(uint64_t, uint64_t sp, uint64_t fp) const { return sp > slot(fp, kLastFixedSlot); }
  // Before that: the frame pointer is still the caller's.
  InterpreterCaller entering(uint64_t pc, const Registers& registers) const;
  // Where no frame is built. exact: the thread stands at pc, else what it has called there goes on.
  InterpreterCaller frameless(uint64_t pc, uint64_t sp, bool exact, const Registers& registers) const;
  bool return_in_register(uint64_t pc) const { return pc > pop && pc <= push; }
  bool fp_just_pushed(uint64_t pc) const { return pc == push + 2; }
  bool fp_set(uint64_t pc) const { return pc >= push + 5; }
  // Where no frame is built: bytes from sp to the return address, by what is popped until the caller's sp is put back.
  uint64_t return_above(uint64_t pc) const;
  // At the jump back, where sp is the caller's already: the register that has the return address; else kNothing.
  uint8_t jumps_back_through(uint64_t pc) const;
  bool sender_sp_stored(uint64_t pc) const { return pc >= push + 7; }
};

struct InterpreterExit {
  uint64_t after_leave = 0;  // rbp is the caller's, the return address at [rsp]
  uint64_t after_pop = 0;    // the return address is in a register, the caller's sp in another
  uint64_t after_move = 0;   // rsp is the caller's
  uint64_t end = 0;          // behind the jump
  uint64_t push = 0;         // of throws: the exception and the return address go on the stack here; 0: they do not
  uint64_t pop = 0;          // and leave it here
  InterpreterCaller leaving(uint64_t pc, uint64_t sp, const Registers& registers) const;
  bool is_pushed(uint64_t pc) const { return push != 0 && pc >= push + 2 && pc <= pop; }
  uint64_t return_above(uint64_t pc) const;  // where it is pushed: bytes from sp to the return address
  uint64_t exception_above(uint64_t pc) const { return pc == push + 1 || pc == pop + 1 ? 8 : 0; }  // and where not
  Registers::Name return_register = Registers::kR13;
  Registers::Name sender_register = Registers::kRbx;
};

class InterpreterMap : public InterpreterTable<InterpreterEntry, InterpreterExit> {
 public:
  // At start, one thread. The code of one method entry; of the whole interpreter.
  void add_entry(uint64_t begin, uint64_t end);
  void add_exits(uint64_t begin, uint64_t end);
};

}  // namespace rec::agent::x86_64
