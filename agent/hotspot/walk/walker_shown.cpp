// SPDX-License-Identifier: Apache-2.0
// Native frames that are shown. Java's frames never depend on them: where native code cannot be unwound, the walk goes on
// at the anchor, as if they were hidden, and a frame says that some are missing.
#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/native_unwind.h"
#include "agent/hotspot/walk/walker.h"
#include "agent/hotspot/x86_64/code_path.h"
#include "agent/hotspot/x86_64/frame_shape.h"
#include "agent/hotspot/x86_64/frame_slots.h"
#include "agent/hotspot/x86_64/instruction.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kLargestNativeFrame = 1u << 20;  // bytes, as all here
constexpr uint64_t kFollowedCode = 4096;            // before and behind a return address
constexpr uint64_t kLongestCall = 8;                // bytes
constexpr uint64_t kUnknownRegister = 1ull << 63;   // no address of a process: a load by it fails

bool is_behind_call(uint64_t pc) {
  for (uint64_t length = 2; length <= kLongestCall; ++length) {
    const Instruction call = instruction_at(pc - length);
    if (call.kind == Instruction::kCall && call.length == length) return true;
  }
  return false;
}

}  // namespace

bool Walker::add_native(uint16_t library, uint64_t address) {
  return add(native_method(library, address), -1, FrameType::kCpp);
}

bool Walker::add_kernel() {
  for (const uint64_t method : shown_.kernel)
    if (!add(method, -1, FrameType::kKernel)) return false;
  first_ = count_;
  return true;
}

// From regs_ on outwards. Nothing of a frame at or above `limit`, but for generated code, is this stretch's.
Walker::NativeEnd Walker::show_native(bool exact, uint64_t limit) {
  for (;;) {
    const Registers here = regs_;
    pc_ = here.pc();  // add() tells it
    NativePlace place;
    const Unwound how = unwind_native(vm_.modules, regs_, exact, place);
    if (!add_native(place.library, place.address)) return NativeEnd::kFull;
    if (how == Unwound::kOutermost) return NativeEnd::kOutermost;
    if (how == Unwound::kNoTable || how == Unwound::kFailed) {
      regs_ = here;
      if (!leave_without_table(exact)) return NativeEnd::kLost;
    }
    if (regs_.pc() == 0) return NativeEnd::kOutermost;
    if (regs_.sp() <= here.sp() || regs_.sp() - here.sp() > kLargestNativeFrame) return NativeEnd::kLost;
    exact = how == Unwound::kInterrupted;
    if (regs_.sp() > limit) return NativeEnd::kLost;
    if (vm_.code_cache.contains(regs_.pc())) return NativeEnd::kJava;
    if (regs_.sp() == limit || (!exact && !is_code(regs_.pc()))) return NativeEnd::kLost;
  }
}

bool Walker::leave_without_table(bool exact) { return exact ? leave_bare_function() : leave_by_code(); }

// Code of a library; or of whoever else makes some, if it has just called.
bool Walker::is_code(uint64_t return_pc) const {
  NativeModule module;
  return vm_.modules.find(return_pc - 1, module) || is_behind_call(return_pc);
}

// Of a frame that has called, and has no table: its code is followed, without being run, to its return. That tells where
// the return address is; or that the function takes its frame down by the frame pointer, which it has set by then.
bool Walker::leave_by_code() {
  CodePath path(regs_.pc(), regs_.pc() - kFollowedCode, regs_.pc() + kFollowedCode);
  const CodePath::Event event = path.follow_past(CodePath::kCall, CodePath::kJumpBack);
  if (event == CodePath::kReturn) {
    const uint64_t at = regs_.sp() + static_cast<uint64_t>(path.return_at());
    const bool saved = path.fp_at() != CodePath::kInRegister;
    return leave_to(u64_at(at), at + 8, saved ? u64_at(regs_.sp() + static_cast<uint64_t>(path.fp_at())) : regs_.fp());
  }
  const uint64_t fp = regs_.fp();
  if (event != CodePath::kLost || !drops_frame_by_fp(path.pc()) || fp < regs_.sp() || (fp & 7) != 0) return false;
  return leave_to(u64_at(slot(fp, kReturnSlot)), fp + 16, u64_at(fp));
}

bool Walker::leave_to(uint64_t return_pc, uint64_t sp, uint64_t fp) {
  if (!is_behind_call(return_pc)) return false;
  regs_[Registers::kPc] = return_pc;
  regs_[Registers::kSp] = sp;
  regs_[Registers::kFp] = fp;
  return true;
}

// The thread stands in native code. top: exactly there; else a stub has returned into it.
bool Walker::native_top(bool top) {
  const uint64_t noted = thread_ + layout_.thread.anchor;
  const uint64_t java_sp = thread_ == 0 ? 0 : u64_at(noted + layout_.anchor.sp);
  const NativeEnd end = show_native(top, java_sp != 0 ? java_sp : stack_base_);
  if (end == NativeEnd::kFull) return false;
  if (java_sp != 0) {
    if (end != NativeEnd::kJava && !add_native(kNoLibrary, kNotUnwound)) return false;
    first_ = count_;
    return anchor(noted);
  }
  first_ = count_;
  if (end == NativeEnd::kJava) {
    pc_ = regs_.pc();
    sp_ = regs_.sp();
    fp_ = regs_.fp();
    top_ = false;
    return true;  // registers_known_ stays: unwinding restored what the leaf had saved
  }
  native_gap_ = end == NativeEnd::kLost;
  return stop(native_gap_ && runs_java(layout_, state_word(layout_, thread_)) ? WalkEnd::kNativeUnknown
                                                                              : WalkEnd::kNoJavaFrame);
}

// Native code has called Java by a stub whose frame pointer fp_ is. anchor: what that had noted of the Java code which left
// for the native; without it, this is where Java begins on the stack.
bool Walker::leave_java(uint64_t noted) {
  const uint64_t java_sp = u64_at(noted + layout_.anchor.sp);
  if (shows_native()) {
    regs_.values.fill(kUnknownRegister);
    regs_[Registers::kPc] = u64_at(slot(fp_, kReturnSlot));
    regs_[Registers::kSp] = fp_ + 16;
    regs_[Registers::kFp] = u64_at(fp_);
    const NativeEnd end =
        is_code(regs_.pc()) ? show_native(false, java_sp != 0 ? java_sp : stack_base_) : NativeEnd::kLost;
    if (end == NativeEnd::kFull) return false;
    if (java_sp == 0)
      native_gap_ = end != NativeEnd::kOutermost;
    else if (end != NativeEnd::kJava && !add_native(kNoLibrary, kNotUnwound))
      return false;
  }
  return java_sp == 0 ? stop(WalkEnd::kRoot) : anchor(noted);
}

// The VM's own threads call its stubs, too.
Walk Walker::run_native() {
  stack_base_ = UINT64_MAX;
  if (!add_kernel()) return {count_, 0, end_, false, true, regs_.pc()};
  const bool reached_java = vm_.code_cache.contains(pc_) ? step() : native_top(true);
  native_gap_ = reached_java || (end_ != WalkEnd::kNoJavaFrame && end_ != WalkEnd::kDepth) || native_gap_;
  if (end_ == WalkEnd::kNoJavaFrame && !native_gap_) end_ = WalkEnd::kRoot;
  return {count_, 0, end_, false, native_gap_, regs_.pc()};
}

}  // namespace rec::agent
