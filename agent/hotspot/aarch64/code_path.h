// SPDX-License-Identifier: Apache-2.0
// CodePath follows compiled code from an instruction on, without running it, until it returns or goes elsewhere, and tells
// where the return address and the caller's frame pointer are until then: in a register, or on the stack, from where the path
// will load them; and how far sp rises.
//
//   pc ->  ldr x0, [sp, #8]
//          ldp x29, x30, [sp, #16]     the return address lies at sp + 24
//          add sp, sp, #32             the caller's sp is sp + 32
//          ret
//
// Wherever two paths meet the stack is the same, so any path will do: conditional branches are not taken, but out of loops. Signal-safe.
#pragma once

#include <array>
#include <cstdint>

#include "agent/hotspot/aarch64/instruction.h"
#include "agent/hotspot/processor/loop_exits.h"

namespace rec::agent::aarch64 {

class CodePath {
 public:
  enum Event : uint8_t {
    kLost,      // it cannot be followed: what cannot be read, a trap, an unknown sp, too long
    kAway,      // at the target of a jump out of the code
    kThrough,   // at a jump through a register
    kCall,      // behind a call
    kJumpBack,  // at the target of a jump backwards, that of a loop or a slow path
    kReturn,    // at a return
    kPopSp,     // never: an older sp comes from a register
    kByRegister,  // at a return, or a jump away or through a register, and sp has become what base() was where the path began
  };

  // From the instruction at pc, within [begin, end).
  CodePath(uint64_t pc, uint64_t begin, uint64_t end);

  Event follow();  // to the next event

  // To the next event that is none of these.
  template <typename... Skipped>
  Event follow_past(Skipped... skipped) {
    Event event = follow();
    while (((event == skipped) || ...)) event = follow();
    return event;
  }

  uint64_t pc() const { return pc_; }
  uint64_t jump_end() const { return jump_end_; }  // behind the last jump
  int64_t most_popped() const {
    return most_popped_;
  }  // the most that sp has risen so far by loads, but for those of x29

  // What sp is there, in bytes above the register base() as it is where the path began: sp itself, but for kByRegister.
  int64_t sp_up() const { return sp_up_; }
  uint8_t base() const { return base_; }

  // Where the return address and the caller's x29 are where the path began, in bytes above base(); kInRegister: in the
  // register link(), and in x29.
  static constexpr int64_t kInRegister = INT64_MIN;
  int64_t return_at() const { return return_at_; }
  int64_t fp_at() const { return fp_at_; }
  uint8_t link() const { return link_; }
  bool has_return() const { return return_at_ != kInRegister || link_ == Instruction::kLink; }
  uint8_t through() const { return through_; }  // of kThrough, and kByRegister: what the jump goes through, likewise

  uint8_t pushed() const { return Instruction::kNothing; }  // as of kPopSp

  // Where the path has copied sp to x19, in bytes above base(); kInRegister: it has not.
  int64_t sender_at() const { return sender_at_; }

 private:
  static constexpr int kMaxInstructions = 256;

  Event ends(Event event, uint8_t through);
  bool does(const Instruction& instruction);
  void stores(const Instruction& instruction);
  void loads(const Instruction& instruction);
  bool moves_sp(const Instruction& instruction);
  void writes(const Instruction& instruction);
  bool leave_loop();

  uint64_t pc_, jump_end_ = 0;
  const uint64_t begin_, end_;
  int64_t sp_up_ = 0, most_popped_ = 0, return_at_ = kInRegister, fp_at_ = kInRegister, sender_at_ = kInRegister;
  // Where the path itself has stored the two, and what it has set x29 to.
  int64_t link_stored_at_ = kInRegister, fp_stored_at_ = kInRegister, fp_is_at_ = kInRegister;
  uint8_t base_ = Instruction::kSp, link_ = Instruction::kLink, through_ = Instruction::kNothing;
  std::array<uint8_t, 31> holds_;  // of each register: which one's value from where the path began it has
  LoopExits exits_;
  int left_ = kMaxInstructions;
};

}  // namespace rec::agent::aarch64
