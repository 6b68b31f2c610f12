// SPDX-License-Identifier: Apache-2.0
// CodePath follows compiled code from an instruction on, without running it, and adds up how far sp rises. Slow paths
// of barriers, for one, lie behind a method's code, save registers below its frame, and undo all of that before they
// jump back; the frame's size does not tell how deep they stand, but what they have still to undo does.
//
//   method's code             behind it                     stack below the method's frame
//     test reference, mask      sub rsp, 48                   registers, 48 bytes
//     jnz -------------------->  mov [rsp+40], rcx ...
//   back: <------------------   call barrier      <- pc       return address pc
//                         \     mov rcx, [rsp+40] ...
//                          \--- add rsp, 48; jmp back
//
// Wherever two paths meet the stack is the same, so any path will do: conditional branches are not taken, but out of loops. Signal-safe.
#pragma once

#include <array>
#include <cstdint>

#include "agent/hotspot/processor/loop_exits.h"
#include "agent/hotspot/x86_64/instruction.h"

namespace rec::agent::x86_64 {

class CodePath {
 public:
  enum Event : uint8_t {
    kLost,      // it cannot be followed: an unknown instruction, a trap, too long
    kAway,      // at the target of a jump out of the code
    kThrough,   // at a jump through a register or memory
    kCall,      // behind a call
    kJumpBack,  // at the target of a jump backwards, that of a loop or a slow path
    kReturn,    // at a return: the return address lies at sp
    kPopSp      // at an instruction that pops an older sp, which the code does not tell: pushed() does
  };

  // From the instruction at pc, within [begin, end).
  CodePath(uint64_t pc, uint64_t begin, uint64_t end) : pc_(pc), first_(pc), begin_(begin), end_(end) {
    copies_.fill(kNoCopy);
  }

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
  int64_t sp_up() const { return sp_up_; }         // bytes that sp is higher there than where the path began
  // The most that pops alone have raised it so far: a frame is taken down by an addition, and the pop of rbp.
  int64_t most_popped() const { return most_popped_; }

  // At kReturn, kAway and kThrough, in bytes above the first sp: where the return address lies, for jumps if they leave for good,
  // and the caller's rbp (kInRegister: nothing has saved it).
  int64_t return_at() const { return return_at_; }
  static constexpr int64_t kInRegister = INT64_MIN;
  int64_t fp_at() const { return fp_at_; }

  // At kPopSp: the register that the path has pushed there, by its number in instructions; kNothing: what lies there is
  // older than the path.
  uint8_t pushed() const { return pushed_.sp_up == sp_up_ ? pushed_.name : Instruction::kNothing; }

 private:
  static constexpr int kMaxInstructions = 256;

  bool leave_loop();
  bool pops_copied_sp();
  void count_pop(const Instruction& instruction);
  int64_t left_through(uint8_t jumped) const;

  uint64_t pc_, jump_end_ = 0;
  const uint64_t first_, begin_, end_;
  int64_t sp_up_ = 0, all_popped_ = 0, most_popped_ = 0, return_at_ = 0, fp_at_ = kInRegister;
  LoopExits exits_;
  uint8_t popped_ = Instruction::kNothing;  // the last register popped into
  struct Pushed {
    uint8_t name = Instruction::kNothing;
    int64_t sp_up = 0;
  } pushed_;  // the last register pushed, and to where
  static constexpr int64_t kNoCopy = INT64_MIN;
  std::array<int64_t, 16> copies_;  // of each register: which sp it was given last, as sp_up()
  int left_ = kMaxInstructions;
};

}  // namespace rec::agent::x86_64
