// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/walk/walker.h"
#include "agent/hotspot/x86_64/frame_slots.h"
#include "agent/hotspot/x86_64/instruction.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMaxIntrinsicArguments = 64;  // bytes; CRC32 and pow have up to 40

}  // namespace

bool Walker::interpreted() {
  const InterpreterEntry* entry = vm_.interpreter.entry_at(pc_);
  if (entry != nullptr && !entry->builds_frame()) return frameless_entry(*entry);
  const InterpreterExit* exit = vm_.interpreter.exit_at(pc_);
  if (exit != nullptr && (top_ || exit->is_pushed(pc_))) return leaving(*exit);
  if (top_) {
    if (entry != nullptr) {
      if (!entry->fp_set(pc_)) return entering(*entry);
      if (sp_ > slot(fp_, kLastFixedSlot)) return half_built(*entry);
    }
  }
  if (fp_ < sp_ || fp_ >= stack_base_ || (fp_ & 7) != 0) return stop(WalkEnd::kBadFrame);
  const uint64_t method = u64_at(slot(fp_, kMethodSlot));
  if (!add_interpreted(method)) return false;
  proof_ = {u64_at(slot(fp_, kBytecodeSlot)), u32_at(method + layout_.method.const_method), FrameProof::By::kBytecode};
  return move_to(u64_at(fp_ + 8), u64_at(slot(fp_, kSenderSpSlot)), u64_at(fp_));
}

// A frame is one when its method is, and the method's code holds the bytecode that it stands at.
bool Walker::add_interpreted(uint64_t method) {
  if (!vm_.methods.is_method(layout_, method)) return stop(WalkEnd::kBadFrame);
  if (is_native(layout_, method)) return add(method, -1, FrameType::kNative);
  const uint64_t const_method = u64_at(method + layout_.method.const_method);
  const uint64_t in_frame = u64_at(slot(fp_, kBytecodeSlot));
  const uint64_t in_register = registers_known_ ? regs_[Registers::kBytecode] : 0;
  for (const uint64_t bytecode : {in_register, in_frame})
    if (const int32_t bci = bci_of(layout_, const_method, bytecode); bci >= 0)
      return add(method, bci, FrameType::kInterpreted);
  return stop(WalkEnd::kBadFrame);
}

bool Walker::add_entered() {
  const uint64_t method = regs_[Registers::kMethod];
  if (!vm_.methods.is_method(layout_, method)) return stop(WalkEnd::kBadFrame);
  return is_native(layout_, method) ? add(method, -1, FrameType::kNative) : add(method, 0, FrameType::kInterpreted);
}

// The frame pointer is still the caller's; its sp and the method are in registers.
bool Walker::entering(const InterpreterEntry& entry) {
  if (!add_entered()) return false;
  uint64_t return_pc, fp = fp_;
  if (entry.return_in_register(pc_))
    return_pc = regs_[Registers::kReturnPc];
  else if (entry.fp_just_pushed(pc_))
    return_pc = u64_at(sp_ + 8), fp = u64_at(sp_);
  else
    return_pc = u64_at(sp_);
  return move_to(return_pc, regs_[Registers::kSenderSp], fp);
}

// The frame pointer is ours, but not all slots are filled.
bool Walker::half_built(const InterpreterEntry& entry) {
  if (!add_entered()) return false;
  const uint64_t sender = entry.sender_sp_stored(pc_) ? u64_at(slot(fp_, kSenderSpSlot)) : regs_[Registers::kSenderSp];
  return move_to(u64_at(fp_ + 8), sender, u64_at(fp_));
}

// An entry of an intrinsic method: it computes in registers, calls a stub or a barrier perhaps, and returns. A stub may
// have r13 for work of its own; as the caller's sp it lies right above the arguments. Interpreted callers need none.
bool Walker::frameless_entry(const InterpreterEntry& entry) {
  const uint8_t back = top_ ? entry.jumps_back_through(pc_) : Instruction::kNothing;
  if (back != Instruction::kNothing) return move_to(regs_[Registers::by_number(back)], sp_, fp_);
  const uint64_t at = sp_ + entry.return_above(pc_), return_pc = u64_at(at), sender = regs_[Registers::kSenderSp];
  if (registers_known_ || sender - (at + 8) <= kMaxIntrinsicArguments) return move_to(return_pc, sender, fp_);
  return vm_.code_cache.in_interpreter(return_pc) ? move_to(return_pc, at + 8, fp_) : stop(WalkEnd::kBadFrame);
}

// Between "leave" and the jump back the method is gone; the thread is as good as in its caller.
bool Walker::leaving(const InterpreterExit& exit) {
  if (pc_ < exit.after_pop) return move_to(u64_at(sp_), regs_[exit.sender_register], fp_);
  if (exit.is_pushed(pc_)) {
    const uint64_t at = sp_ + exit.return_above(pc_);
    return move_to(u64_at(at), at + 16, fp_);
  }
  const uint64_t sp = pc_ < exit.after_move ? regs_[exit.sender_register] : sp_ + exit.exception_above(pc_);
  return move_to(regs_[exit.return_register], sp, fp_);
}

}  // namespace rec::agent
