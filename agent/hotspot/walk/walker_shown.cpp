// SPDX-License-Identifier: Apache-2.0
// Native frames that are shown. Java's frames never depend on them: where native code cannot be unwound, the walk goes on
// at the anchor, as if they were hidden, and a frame says that some are missing.
#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/native_leave.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {

bool Walker::add_native(uint16_t library, uint64_t address) {
  return add(native_method(library, address), -1, FrameType::kCpp);
}

bool Walker::add_kernel() {
  for (const uint64_t method : shown_.kernel)
    if (!add(method, -1, FrameType::kKernel)) return false;
  first_ = count_;
  return true;
}

// On another stack than the thread's own nothing tells where it ends, but the tables. From a handler's the way leads back
// to where the thread was interrupted.
bool Walker::is_lost(NativeStep how, uint64_t limit) {
  const bool comes_back = off_stack_ && on_stack(regs_.sp());
  if (how == NativeStep::kLost || (how == NativeStep::kElsewhere && !comes_back)) return true;
  if (comes_back) off_stack_ = false;
  return !off_stack_ && regs_.sp() > limit;
}

// From regs_ on outwards. Nothing of a frame at or above `limit`, but for generated code, is this stretch's.
Walker::NativeEnd Walker::show_native(bool exact, uint64_t limit) {
  for (;;) {
    pc_ = regs_.pc();  // add() tells it
    NativePlace place;
    const NativeStep how = leave_native(modules_, regs_, exact, place);
    if (!add_native(place.library, place.address)) return NativeEnd::kFull;
    if (how == NativeStep::kOutermost) return NativeEnd::kOutermost;
    if (is_lost(how, limit)) return NativeEnd::kLost;
    exact = how == NativeStep::kInterrupted || how == NativeStep::kElsewhere;
    if (vm_.code_cache.contains(regs_.pc())) return exact ? NativeEnd::kAmidJava : NativeEnd::kJava;
    if ((!off_stack_ && regs_.sp() == limit) || (!exact && !is_native_code(modules_, regs_.pc())))
      return NativeEnd::kLost;
  }
}

// The thread stands in native code. top: exactly there; else a stub has returned into it.
bool Walker::native_top(bool top) {
  const uint64_t noted = thread_ + layout_.thread.anchor;
  const uint64_t java_sp = thread_ == 0 ? 0 : u64_at(noted + layout_.anchor.sp);
  const NativeEnd end = show_native(top, java_sp != 0 ? java_sp : stack_base_);
  off_stack_ = false;
  if (end == NativeEnd::kFull) return false;
  if (java_sp != 0) {
    if (end != NativeEnd::kJava && !add_native(kNoLibrary, kNotUnwound)) return false;
    first_ = count_;
    return anchor(noted);
  }
  first_ = count_;
  if (end == NativeEnd::kJava || end == NativeEnd::kAmidJava) {
    pc_ = regs_.pc();
    sp_ = regs_.sp();
    fp_ = regs_.fp();
    top_ = end == NativeEnd::kAmidJava;
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
    regs_ = Registers::only(return_at(slot(fp_, kReturnSlot)), fp_ + 16);
    regs_[Registers::kFp] = u64_at(fp_);
    const NativeEnd end = is_native_code(modules_, regs_.pc())
                              ? show_native(false, java_sp != 0 ? java_sp : stack_base_)
                              : NativeEnd::kLost;
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
