// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/return_address.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {
namespace {

constexpr uint64_t kFrameEnd = 16;               // bytes above the frame pointer
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
      if (entry->half_built(pc_, sp_, fp_)) return half_built(*entry);
    }
  }
  if (fp_ < sp_ || fp_ >= stack_base_ || (fp_ & 7) != 0) return stop(WalkEnd::kBadFrame);
  const uint64_t method = u64_at(slot(fp_, kMethodSlot));
  if (!add_interpreted(method)) return false;
  proof_ = {u64_at(slot(fp_, kBytecodeSlot)), u32_at(method + layout_.method.const_method), FrameProof::By::kBytecode};
  const uint64_t sender = sender_above(u64_at(slot(fp_, kSenderSpSlot)), fp_ + kFrameEnd);
  return move_to(return_at(fp_ + 8), sender, u64_at(fp_));
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
  const InterpreterCaller caller = entry.entering(pc_, regs_);
  return move_to(without_signature(caller.pc), caller.sp, caller.fp);
}

// The frame pointer is ours, but not all slots are filled.
bool Walker::half_built(const InterpreterEntry& entry) {
  if (!add_entered()) return false;
  const uint64_t sender = entry.sender_sp_stored(pc_) ? u64_at(slot(fp_, kSenderSpSlot)) : regs_[Registers::kSenderSp];
  return move_to(return_at(fp_ + 8), sender_above(sender, fp_ + kFrameEnd), u64_at(fp_));
}

// An entry of an intrinsic method: it computes in registers, calls a stub or a barrier perhaps, and returns. A stub may
// have r13 for work of its own; as the caller's sp it lies right above the arguments. Interpreted callers need none.
bool Walker::frameless_entry(const InterpreterEntry& entry) {
  const InterpreterCaller caller = entry.frameless(pc_, sp_, top_, regs_);
  const uint64_t pc = without_signature(caller.pc);
  if (registers_known_ || caller.sp - caller.above <= kMaxIntrinsicArguments) return move_to(pc, caller.sp, fp_);
  return vm_.code_cache.in_interpreter(pc) ? move_to(pc, caller.above, fp_) : stop(WalkEnd::kBadFrame);
}

// Between "leave" and the jump back the method is gone; the thread is as good as in its caller.
bool Walker::leaving(const InterpreterExit& exit) {
  const InterpreterCaller caller = exit.leaving(pc_, sp_, regs_);
  return move_to(without_signature(caller.pc), caller.sp, fp_);
}

}  // namespace rec::agent
