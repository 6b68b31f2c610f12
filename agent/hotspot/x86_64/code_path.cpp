// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/code_path.h"

#include <algorithm>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::x86_64 {

CodePath::Event CodePath::follow() {
  while (left_-- > 0 && pc_ >= begin_ && pc_ < end_) {
    const Instruction instruction = instruction_at(pc_);
    return_at_ = sp_up_;
    switch (instruction.kind) {
      case Instruction::kUnknown:
        if (instruction.popped != Instruction::kRsp) return kLost;
        if (!pops_copied_sp()) return kPopSp;
        pc_ += instruction.length;
        continue;
      case Instruction::kTrap: return kLost;
      case Instruction::kReturn: return kReturn;
      case Instruction::kJumpAway: return_at_ = left_through(instruction.through); return kThrough;
      default: break;
    }
    if (instruction.popped == Instruction::kRbp) fp_at_ = sp_up_;
    if (instruction.popped != Instruction::kNothing) popped_ = instruction.popped;
    sp_up_ += instruction.sp_up;
    count_pop(instruction);
    if (instruction.pushed != Instruction::kNothing) pushed_ = {instruction.pushed, sp_up_};
    if (instruction.sp_to != Instruction::kNothing) copies_[instruction.sp_to] = sp_up_;
    const uint64_t from = pc_;
    pc_ += instruction.length;
    if (instruction.kind == Instruction::kCall) return kCall;
    if (instruction.kind == Instruction::kBranch && instruction.target > pc_) exits_.note({instruction.target, sp_up_});
    if (instruction.kind != Instruction::kJump) continue;
    if (pc_ == jump_end_ && leave_loop()) continue;
    jump_end_ = pc_;
    pc_ = instruction.target;
    if (pc_ < begin_ || pc_ >= end_) return kAway;
    if (pc_ <= from) return kJumpBack;
  }
  return kLost;
}

void CodePath::count_pop(const Instruction& instruction) {
  const bool pops = instruction.popped != Instruction::kNothing && instruction.popped != Instruction::kRbp;
  if (pops || instruction.pushed != Instruction::kNothing) all_popped_ += instruction.sp_up;
  most_popped_ = std::max(most_popped_, all_popped_);
}

// C2 searches strings in a part of the stack as large as need be, and notes the sp from before: mov rcx, rsp; ...; push
// rcx; ...; pop rsp (C2_MacroAssembler::string_indexof).
bool CodePath::pops_copied_sp() {
  if (pushed() == Instruction::kNothing || copies_[pushed()] == kNoCopy) return false;
  sp_up_ = copies_[pushed()];
  return true;
}

// The path has come to the same jump again: takes the last branch that leads out of the loop.
bool CodePath::leave_loop() {
  const LoopExits::Exit* const exit = exits_.beyond(pc_);
  if (exit == nullptr) return false;
  pc_ = exit->pc;
  sp_up_ = exit->sp_up;
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

}  // namespace rec::agent::x86_64
