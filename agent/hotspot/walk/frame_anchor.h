// SPDX-License-Identifier: Apache-2.0
// FrameAnchor is HotSpot's own note of where a thread left Java code for native code or the VM (JavaThread::_anchor,
// runtime/javaFrameAnchor.hpp). By it the stack of another thread can be walked without stopping that. Signal-safe.
//
// The thread may go back to Java at any instruction: a walk is worth something only if the anchor was the same
// afterwards, and whatever else the caller knows of a thread that stands still.
#pragma once

#include <cstdint>
#include <span>

#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent {

struct FrameAnchor {
  uint64_t sp = 0, pc = 0, fp = 0;
  explicit operator bool() const { return sp != 0; }  // false: in Java, or there is no Java frame
  friend bool operator==(const FrameAnchor&, const FrameAnchor&) = default;
};

FrameAnchor frame_anchor(const Layout& layout, uint64_t java_thread);

// Where a walk from outside begins, for walk_stack(): where the thread stands (pc, sp; 0: not known), if that is native
// code on its own stack, below `anchor`; else at the anchor.
Registers start_of_walk(const VmCode& vm, const FrameAnchor& anchor, uint64_t java_thread, uint64_t pc, uint64_t sp);

// last, shown: as for walk_stack().
Walk walk_from(const VmCode& vm, const FrameAnchor& anchor, uint64_t java_thread, std::span<RawFrame> frames,
               LastWalk* last = nullptr, ShownFrames shown = CarrierFrames::kShown);

}  // namespace rec::agent
