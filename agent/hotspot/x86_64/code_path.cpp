// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/code_path.h"

#include "agent/hotspot/x86_64/instruction.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {

CodePath::Event CodePath::follow() {
  while (left_-- > 0 && pc_ >= begin_ && pc_ < end_) {
    const Instruction instruction = instruction_at(pc_);
    return_at_ = sp_up_;
    switch (instruction.kind) {
      case Instruction::kUnknown:
      case Instruction::kTrap: return kLost;
      case Instruction::kReturn: return kReturn;
      case Instruction::kJumpAway: return_at_ = left_through(instruction.through); return kThrough;
      default: break;
    }
    if (instruction.popped == Instruction::kRbp) fp_at_ = sp_up_;
    if (instruction.popped != Instruction::kNothing) popped_ = instruction.popped;
    sp_up_ += instruction.sp_up;
    const uint64_t from = pc_;
    pc_ += instruction.length;
    if (instruction.kind == Instruction::kCall) return kCall;
    if (instruction.kind == Instruction::kBranch && instruction.target > pc_) exit_ = {instruction.target, sp_up_};
    if (instruction.kind != Instruction::kJump) continue;
    if (pc_ == jump_end_ && leave_loop()) continue;
    jump_end_ = pc_;
    pc_ = instruction.target;
    if (pc_ < begin_ || pc_ >= end_) return kAway;
    if (pc_ <= from) return kJumpBack;
  }
  return kLost;
}

// The path has come to the same jump again: takes the last branch that leads out of the loop.
bool CodePath::leave_loop() {
  if (exit_.pc < pc_) return false;
  pc_ = exit_.pc;
  sp_up_ = exit_.sp_up;
  return true;
}

// Who jumps to the return address has popped it; who jumps to a handler of exceptions takes it along in rdx. Once
// popped it still lies below sp, where signals write nothing.
int64_t CodePath::left_through(uint8_t jumped) const {
  const auto is_return = [&](int popped) {
    return popped != Instruction::kNothing && (popped == jumped || popped == Instruction::kRdx);
  };
  const bool starts_here = pc_ == first_ && (u8_at(pc_ - 1) & 0xf8) == 0x58;  // pop
  const int popped = starts_here ? u8_at(pc_ - 1) & 7 : popped_;
  return is_return(popped) ? sp_up_ - 8 : sp_up_;
}

}  // namespace rec::agent
