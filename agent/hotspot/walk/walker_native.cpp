// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/native_unwind.h"
#include "agent/hotspot/walk/walker.h"
#include "agent/hotspot/x86_64/frame_slots.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr int kMaxNativeSteps = 128;  // from a leaf call back to Java

}  // namespace

bool Walker::native() {
  if (!top_) return stop(WalkEnd::kBadReturn);
  return native_from(true);
}

bool Walker::native_from(bool top) {
  if (u64_at(thread_ + layout_.thread.anchor + layout_.anchor.sp) != 0) return anchor(thread_ + layout_.thread.anchor);
  return leaf_call(top);
}

// Leaves a stub. The VM and native code call stubs too, to copy memory for one.
bool Walker::leave_stub(uint64_t pc, uint64_t sp, uint64_t fp) {
  if (!registers_known_ || vm_.code_cache.contains(pc)) {
    from_stub_ = true;
    return move_to(pc, sp, fp);
  }
  regs_[Registers::kPc] = pc;
  regs_[Registers::kSp] = sp;
  regs_[Registers::kFp] = fp;
  return native_from(false);
}

// Java left for native code or the VM here: HotSpot's own note of its last Java frame.
bool Walker::anchor(uint64_t anchor) {
  const uint64_t sp = u64_at(anchor + layout_.anchor.sp);
  if (sp < stack_limit_ || sp >= stack_base_ || (sp & 7) != 0 || sp < sp_) return stop(WalkEnd::kBadStack);
  uint64_t pc = u64_at(anchor + layout_.anchor.pc);
  if (pc == 0) pc = u64_at(sp - 8);  // the return address of the call that left
  pc_ = pc;
  sp_ = sp;
  fp_ = u64_at(anchor + layout_.anchor.fp);
  top_ = false;
  registers_known_ = false;
  return vm_.code_cache.contains(pc) ? true : stop(WalkEnd::kBadReturn);
}

// top: the thread stands in the native code itself; else a stub has returned into it.
bool Walker::leaf_call(bool top) {
  for (int i = 0; i < kMaxNativeSteps; ++i) {
    const uint64_t before = regs_.sp();
    if (!unwind_native(vm_.modules, regs_, top)) break;
    top = false;
    if (regs_.sp() <= before || regs_.sp() >= stack_base_) break;
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

bool Walker::call_stub() {
  const uint64_t wrapper = u64_at(slot(fp_, kCallWrapperSlot));
  if (fp_ < sp_ || fp_ >= stack_base_ || wrapper < sp_ || wrapper >= stack_base_) return stop(WalkEnd::kBadFrame);
  const uint64_t saved = wrapper + layout_.entry.call_wrapper_anchor;
  if (u64_at(saved + layout_.anchor.sp) == 0) return stop(WalkEnd::kRoot);
  return anchor(saved);
}

// The return barrier, or a stub that moves frames: the rest of the continuation is in the heap, and its carrier goes
// on where the continuation was entered (JEP 444; src/hotspot/share/runtime/continuationEntry.hpp).
bool Walker::continuation_entry() {
  const uint64_t entry = layout_.thread.continuation == kAbsent ? 0 : u64_at(thread_ + layout_.thread.continuation);
  if (layout_.entry.continuation_return == 0 || entry < sp_ || entry >= stack_base_ || gap_)
    return stop(WalkEnd::kBadReturn);
  gap_ = true;
  top_ = false;
  registers_known_ = false;
  pc_ = layout_.entry.continuation_return;
  sp_ = entry;
  return true;
}

}  // namespace rec::agent
