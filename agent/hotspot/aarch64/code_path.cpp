// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/aarch64/code_path.h"

#include <algorithm>

namespace rec::agent::aarch64 {

CodePath::CodePath(uint64_t pc, uint64_t begin, uint64_t end) : pc_(pc), begin_(begin), end_(end) {
  for (uint8_t name = 0; name < holds_.size(); ++name) holds_[name] = name;
}

CodePath::Event CodePath::follow() {
  while (left_-- > 0 && pc_ >= begin_ && pc_ < end_) {
    const Instruction instruction = instruction_at(pc_);
    const uint64_t from = pc_;
    switch (instruction.kind) {
      case Instruction::kUnknown:
      case Instruction::kTrap: return kLost;
      case Instruction::kReturn: return ends(kReturn, instruction.through);
      case Instruction::kJumpAway:
        through_ = instruction.through < holds_.size() ? holds_[instruction.through] : Instruction::kNothing;
        return ends(kThrough, Instruction::kLink);
      default: break;
    }
    if (!does(instruction)) return kLost;
    pc_ += kStep;
    if (instruction.kind == Instruction::kCall) return kCall;
    if (instruction.kind == Instruction::kBranch && instruction.target > pc_) exits_.note({instruction.target, sp_up_});
    if (instruction.kind != Instruction::kJump) continue;
    if (pc_ == jump_end_ && leave_loop()) continue;
    jump_end_ = pc_;
    pc_ = instruction.target;
    if (pc_ < begin_ || pc_ >= end_) return ends(kAway, Instruction::kLink);
    if (pc_ <= from) return kJumpBack;
  }
  return kLost;
}

// through: the register that has the return address there.
CodePath::Event CodePath::ends(Event event, uint8_t through) {
  link_ = through < holds_.size() ? holds_[through] : Instruction::kNothing;
  return base_ == Instruction::kSp ? event : kByRegister;
}

// False: sp is lost.
bool CodePath::does(const Instruction& instruction) {
  stores(instruction);
  if (!moves_sp(instruction)) return false;
  writes(instruction);
  loads(instruction);
  return true;
}

// What the path stores itself is still in its register where the path begins.
void CodePath::stores(const Instruction& instruction) {
  if (instruction.stores(Instruction::kLink) && holds_[Instruction::kLink] == Instruction::kLink)
    link_stored_at_ = sp_up_ + instruction.place_of(Instruction::kLink);
  if (instruction.stores(Instruction::kFp) && holds_[Instruction::kFp] == Instruction::kFp)
    fp_stored_at_ = sp_up_ + instruction.place_of(Instruction::kFp);
}

bool CodePath::moves_sp(const Instruction& instruction) {
  if (instruction.sp_lost) return false;
  const uint8_t from = instruction.sp_from;
  if (from == Instruction::kFp && fp_is_at_ != kInRegister) {
    sp_up_ = fp_is_at_;
  } else if (from != Instruction::kNothing) {
    const bool counts = base_ == Instruction::kSp && return_at_ == kInRegister && fp_at_ == kInRegister;
    if (!counts || holds_[from] == Instruction::kNothing) return false;
    base_ = holds_[from];
    sp_up_ = 0;
    link_stored_at_ = fp_stored_at_ = kInRegister;  // below the other sp
  }
  sp_up_ += instruction.sp_up;
  const bool pops = instruction.by_sp == Instruction::kLoad && !instruction.loads(Instruction::kFp);
  if (pops && base_ == Instruction::kSp) most_popped_ = std::max(most_popped_, sp_up_);
  return true;
}

void CodePath::writes(const Instruction& instruction) {
  const uint8_t copied = instruction.copy_of < holds_.size() ? holds_[instruction.copy_of] : Instruction::kNothing;
  if (instruction.written_too < holds_.size()) holds_[instruction.written_too] = Instruction::kNothing;
  if (instruction.written >= holds_.size()) return;
  holds_[instruction.written] = copied;
  if (instruction.copy_of != Instruction::kSp) return;
  if (instruction.written == Instruction::kFp) fp_is_at_ = sp_up_;
  if (instruction.written == Instruction::kSenderSp) sender_at_ = sp_up_;
}

// The last load counts: it is what the return goes by. sp has moved by then, if it does.
void CodePath::loads(const Instruction& instruction) {
  const int64_t before = sp_up_ - instruction.sp_up;
  const auto load = [&](uint8_t name, int64_t stored_at, int64_t& to) {
    if (!instruction.loads(name)) return;
    const int64_t at = before + instruction.place_of(name);
    to = at == stored_at ? kInRegister : at;
    if (at == stored_at) holds_[name] = name;
  };
  load(Instruction::kLink, link_stored_at_, return_at_);
  load(Instruction::kFp, fp_stored_at_, fp_at_);
}

// The path has come to the same jump again: takes the last branch that leads out of the loop.
bool CodePath::leave_loop() {
  const LoopExits::Exit* const exit = exits_.beyond(pc_);
  if (exit == nullptr) return false;
  pc_ = exit->pc;
  sp_up_ = exit->sp_up;
  return true;
}

}  // namespace rec::agent::aarch64
