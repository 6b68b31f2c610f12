// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/walker.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

// Slots of an interpreter frame, from rbp (src/hotspot/cpu/x86/frame_x86.hpp).
constexpr int kSenderSpSlot = -1, kMethodSlot = -3, kBcpSlot = -8, kLastFixedSlot = -9;

}  // namespace

bool Walker::interpreted() {
  if (top_) {
    if (const InterpreterExit* exit = vm_.interpreter.exit_at(pc_)) return leaving(*exit);
    if (const InterpreterEntry* entry = vm_.interpreter.entry_at(pc_)) {
      if (entry->push == 0) return frameless_entry();
      if (pc_ < entry->push + 5) return entering(*entry);
      if (sp_ > slot(fp_, kLastFixedSlot)) return half_built(*entry);
    }
  }
  if (fp_ < sp_ || fp_ >= stack_base_ || (fp_ & 7) != 0) return stop(WalkEnd::kBadFrame);
  const uint64_t method = word_at(slot(fp_, kMethodSlot));
  if (!add_interpreted(method)) return false;
  return move_to(word_at(fp_ + 8), word_at(slot(fp_, kSenderSpSlot)), word_at(fp_));
}

bool Walker::add_interpreted(uint64_t method) {
  const uint64_t const_method = word_at(method + layout_.method_const_method);
  if (method == 0 || const_method == 0) return stop(WalkEnd::kBadFrame);
  const uint64_t code = const_method + layout_.const_method_header;
  const uint32_t size = short_at(const_method + layout_.const_method_code_size);
  const uint64_t in_frame = word_at(slot(fp_, kBcpSlot));
  const uint64_t in_register = registers_known_ ? regs_[Registers::kR13] : 0;
  if (in_register >= code && in_register < code + size)
    return add(method, static_cast<int32_t>(in_register - code), FrameType::kInterpreted);
  if (in_frame >= code && in_frame < code + size)
    return add(method, static_cast<int32_t>(in_frame - code), FrameType::kInterpreted);
  constexpr uint32_t kNative = 0x0100;
  const bool native = (half_at(method + layout_.method_access_flags) & kNative) != 0;
  return add(method, native ? -1 : 0, native ? FrameType::kNative : FrameType::kInterpreted);
}

// Before "mov rbp, rsp": rbp is still the caller's, r13 its sp, rbx the method.
bool Walker::entering(const InterpreterEntry& entry) {
  if (!add(regs_[Registers::kRbx], 0, FrameType::kInterpreted)) return false;
  uint64_t return_pc, fp = fp_;
  if (pc_ > entry.pop && pc_ <= entry.push)
    return_pc = regs_[Registers::kRax];
  else if (pc_ == entry.push + 2)
    return_pc = word_at(sp_ + 8), fp = word_at(sp_);
  else
    return_pc = word_at(sp_);
  return move_to(return_pc, regs_[Registers::kR13], fp);
}

// rbp is ours, but not all nine slots are filled.
bool Walker::half_built(const InterpreterEntry& entry) {
  if (!add(regs_[Registers::kRbx], 0, FrameType::kInterpreted)) return false;
  const uint64_t sender = pc_ >= entry.push + 7 ? word_at(slot(fp_, kSenderSpSlot)) : regs_[Registers::kR13];
  return move_to(word_at(fp_ + 8), sender, word_at(fp_));
}

// An entry of an intrinsic method: it computes in registers and returns.
bool Walker::frameless_entry() { return move_to(word_at(sp_), regs_[Registers::kR13], fp_); }

// Between "leave" and the jump back the method is gone; the thread is as good as in its caller.
bool Walker::leaving(const InterpreterExit& exit) {
  if (pc_ < exit.after_pop) return move_to(word_at(sp_), regs_[exit.sender_register], fp_);
  const uint64_t sp = pc_ < exit.after_move ? regs_[exit.sender_register] : sp_;
  return move_to(regs_[exit.return_register], sp, fp_);
}

}  // namespace rec::agent
