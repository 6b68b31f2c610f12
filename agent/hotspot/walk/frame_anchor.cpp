// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/frame_anchor.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

FrameAnchor frame_anchor(const Layout& layout, uint64_t java_thread) {
  const uint64_t at = java_thread + layout.thread.anchor;
  return {u64_at(at + layout.anchor.sp), u64_at(at + layout.anchor.pc), u64_at(at + layout.anchor.fp)};
}

// Outside of all code, as with a pc of 0, the walker itself takes the thread's anchor.
Registers start_of_walk(const VmCode& vm, const FrameAnchor& anchor, uint64_t java_thread, uint64_t pc, uint64_t sp) {
  const Layout::Thread& thread = vm.layout.thread;
  const uint64_t base = u64_at(java_thread + thread.stack_base), end = anchor ? anchor.sp : base;
  const bool on_stack = sp < end && sp >= base - u64_at(java_thread + thread.stack_size);
  if (pc != 0 && on_stack && !vm.code_cache.contains(pc)) return Registers::only(pc, sp);
  Registers registers;
  registers[Registers::kSp] = anchor.sp;
  return registers;
}

Walk walk_from(const VmCode& vm, const FrameAnchor& anchor, uint64_t java_thread, std::span<RawFrame> frames,
               LastWalk* last, ShownFrames shown) {
  return walk_stack(vm, start_of_walk(vm, anchor, java_thread, 0, 0), java_thread, frames, shown, last);
}

}  // namespace rec::agent
