// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/native_leave.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {
namespace {

constexpr int kMaxNativeSteps = 128;  // from a leaf call back to Java

}  // namespace

bool Walker::native() {
  if (!top_) return stop(WalkEnd::kBadReturn);
  return native_from(true);
}

bool Walker::native_from(bool top) {
  if (shows_native() && regs_.pc() != 0) return native_top(top);
  if (u64_at(thread_ + layout_.thread.anchor + layout_.anchor.sp) != 0) return anchor(thread_ + layout_.thread.anchor);
  return leaf_call(top);
}

// Whatever stack native code stands on then, Java's frames lie on the thread's own: a handler's alternate one, a coroutine's.
bool Walker::left_for_native() const {
  return vm_state(layout_, state_word(layout_, thread_)) == VmState::kInNative && !vm_.code_cache.contains(pc_) &&
         u64_at(thread_ + layout_.thread.anchor + layout_.anchor.sp) != 0;
}

// Leaves a stub. The VM and native code call stubs too, to copy memory for one.
bool Walker::leave_stub(uint64_t pc, uint64_t sp, uint64_t fp) {
  if (!registers_known_ || vm_.code_cache.contains(pc)) return leave_stub_to_java(pc, sp, fp);
  regs_[Registers::kPc] = pc;
  regs_[Registers::kSp] = sp;
  regs_[Registers::kFp] = fp;
  return native_from(false);
}

// The interpreter's entry of an intrinsic method, as that of CRC32.updateBytes, calls a stub without a frame of its own:
// its caller's sp is in a register that stubs leave alone.
bool Walker::leave_stub_to_java(uint64_t pc, uint64_t sp, uint64_t fp) {
  const bool known = registers_known_;
  if (!move_to(pc, sp, fp)) return false;
  const InterpreterEntry* entry = known && vm_.code_cache.in_interpreter(pc) ? vm_.interpreter.entry_at(pc) : nullptr;
  registers_known_ = entry != nullptr && !entry->builds_frame();
  return true;
}

// Java left for native code or the VM here: HotSpot's own note of its last Java frame.
bool Walker::anchor(uint64_t anchor) {
  const uint64_t sp = u64_at(anchor + layout_.anchor.sp);
  if (sp < stack_limit_ || sp >= stack_base_ || (sp & 7) != 0 || sp < sp_) return stop(WalkEnd::kBadStack);
  uint64_t pc = u64_at(anchor + layout_.anchor.pc);
  if (pc == 0) pc = return_at(sp - 8);  // the return address of the call that left
  pc_ = pc;
  sp_ = sp;
  fp_ = u64_at(anchor + layout_.anchor.fp);
  top_ = false;
  registers_known_ = false;
  // Who freezes a continuation notes that it is left before it is (FreezeBase::unwind_frames).
  if (count_ == first_ && pc == entered_.return_pc && pc != 0) return continuation_entry();
  return vm_.code_cache.contains(pc) ? true : stop(WalkEnd::kBadReturn);
}

// top: the thread stands in the native code itself; else a stub has returned into it.
bool Walker::leaf_call(bool top) {
  for (int i = 0; i < kMaxNativeSteps; ++i) {
    const uint64_t before = regs_.sp();
    const Registers here = regs_;
    if (!unwind_native(modules_, regs_, top)) {
      regs_ = here;
      if (!top || !leave_bare_function(regs_)) break;
    }
    const bool may_stay = top && frameless_shape().return_in_link();
    top = false;
    if (regs_.sp() < before || (regs_.sp() == before && !may_stay) || regs_.sp() >= stack_base_) break;
    if (!vm_.code_cache.contains(regs_.pc())) continue;
    pc_ = regs_.pc();
    sp_ = regs_.sp();
    fp_ = regs_.fp();
    top_ = false;
    return true;  // registers_known_ stays: unwinding restored what the leaf had saved
  }
  const bool in_java = runs_java(layout_, state_word(layout_, thread_));
  return stop(in_java ? WalkEnd::kNativeUnknown : WalkEnd::kNoJavaFrame);
}

// In the call stub itself, between the store of its wrapper and its return, a thread has entered Java or is back from it,
// and no anchor is to be seen: the frame's wrapper has it. Once the frame pointer is the caller's the frame still lies below sp.
bool Walker::in_call_stub(uint64_t begin, uint64_t end) {
  if (!top_ || layout_.entry.call_stub_return < begin || layout_.entry.call_stub_return >= end) return false;
  const uint64_t stored = wrapper_stored(begin, end);
  if (stored == 0 || pc_ < stored) return false;
  if (is_return(pc_)) fp_ = sp_ + frameless_shape().size() - kSavedFpBelowCaller;
  return true;
}

bool Walker::call_stub() {
  const uint64_t wrapper = u64_at(slot(fp_, kCallWrapperSlot));
  if (fp_ + 8 < sp_ || fp_ >= stack_base_ || wrapper < sp_ || wrapper >= stack_base_) return stop(WalkEnd::kBadFrame);
  return leave_java(wrapper + layout_.entry.call_wrapper_anchor);
}

}  // namespace rec::agent
