// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/frame_anchor.h"

#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {

FrameAnchor frame_anchor(const Layout& layout, uint64_t java_thread) {
  const uint64_t at = java_thread + layout.thread.anchor;
  return {u64_at(at + layout.anchor.sp), u64_at(at + layout.anchor.pc), u64_at(at + layout.anchor.fp)};
}

// Outside of all code, as with a pc of 0, the walker itself takes the thread's anchor.
Walk walk_from(const VmCode& vm, const FrameAnchor& anchor, uint64_t java_thread, std::span<RawFrame> frames,
               LastWalk* last, ShownFrames shown) {
  Registers registers;
  registers[Registers::kSp] = anchor.sp;
  return walk_stack(vm, registers, java_thread, frames, shown, last);
}

}  // namespace rec::agent
