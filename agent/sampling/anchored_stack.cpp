// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/anchored_stack.h"

#include "agent/hotspot/walk/frame_anchor.h"
#include "agent/sampling/walked_stack.h"

namespace rec::agent {

AnchoredStack::AnchoredStack(Sampler& sampler, const ThreadRecord& thread)
    : sampler_(sampler), scratch_(sampler.scratch().try_take()) {
  if (!scratch_) return;
  last_ = sampler.last_walks().try_take(&thread);
  const VmCode& vm = sampler.vm();
  const FrameAnchor anchor = frame_anchor(vm.layout, thread.java_thread);
  if (anchor)
    walk_ = walk_from(vm, anchor, thread.java_thread, scratch_.raw, last_.walk, sampler.shown_frames());
  else if (last_.walk != nullptr)
    last_.walk->begin();  // nothing is kept of it
}

AnchoredStack::~AnchoredStack() {
  if (!scratch_) return;
  sampler_.last_walks().give_back(last_);
  sampler_.scratch().give_back(scratch_);
}

Ref<StackFact> AnchoredStack::tag(Epoch& epoch, size_t without) const {
  if (!scratch_) return {};
  const WalkedStack stack(sampler_.vm().layout, epoch, walk_, scratch_, last_.walk);
  if (without == 0 || stack.frames.frames.size() <= without)
    return epoch.intern_hashed(stack.frames, stack.truncated, 0);
  return epoch.intern_hashed(hashed(stack.frames.frames.subspan(without)), stack.truncated, 0);
}

}  // namespace rec::agent
