// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/frozen_stack.h"

#include "agent/hotspot/walk/tagger.h"
#include "agent/process/standing_place.h"

namespace rec::agent {

FrozenStack::FrozenStack(const VmCode& vm, uint32_t depth, NativeFrames native)
    : vm_(vm),
      depth_(depth),
      shown_(shown_with(CarrierFrames::kShown, native)),
      raw_(new RawFrame[depth]),
      frames_(new Frame[depth]) {}

Walk FrozenStack::walk(const FrameAnchor& anchor, uint64_t java_thread, int32_t os_id) {
  const std::span<RawFrame> raw(raw_.get(), depth_);
  if (shown_.native == NativeFrames::kShown) {
    const StandingPlace at = standing_place(tasks_, os_id);
    const Walk walk = walk_stack(vm_, start_of_walk(vm_, anchor, java_thread, at.pc, at.sp), java_thread, raw, shown_);
    if (!at || has_stood(at, os_id)) return walk;
  }
  return walk_from(vm_, anchor, java_thread, raw, nullptr, shown_);
}

FrozenStack::Result FrozenStack::read(Epoch& epoch, uint64_t java_thread, int32_t os_id,
                                      const std::function<bool()>& still) {
  const FrameAnchor anchor = frame_anchor(vm_.layout, java_thread);
  const auto moved = [&] { return frame_anchor(vm_.layout, java_thread) != anchor || !still(); };
  if (!anchor) return {{}, Why::kNoAnchor};
  if (!still()) return {{}, Why::kMoved};
  const Walk walk = this->walk(anchor, java_thread, os_id);
  if (walk.count == 0) return {{}, Why::kNoFrames};
  if (moved()) return {{}, Why::kMoved};
  const Tagger::Stack named = Tagger(vm_.layout, epoch).stack(walk, raw_.get(), nullptr, frames_.get());
  if (moved()) return {{}, Why::kMoved};
  const Ref<StackFact> stack = epoch.intern_hashed(named.frames, walk.truncated());
  return {stack, stack ? Why::kNone : Why::kNoRoom};
}

const char* explain(FrozenStack::Why why) {
  switch (why) {
    case FrozenStack::Why::kNone: return "";
    case FrozenStack::Why::kNoAnchor: return "the thread has no note of its last Java frame";
    case FrozenStack::Why::kMoved: return "the thread ran on before its stack was read";
    case FrozenStack::Why::kNoFrames: return "no Java frame was found";
    case FrozenStack::Why::kNoRoom: return "there was no room for the stack";
  }
  return "";
}

}  // namespace rec::agent
