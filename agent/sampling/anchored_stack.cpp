// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/anchored_stack.h"

#include "agent/hotspot/processor/registers_here.h"
#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/walk/frame_anchor.h"
#include "agent/hotspot/walk/native_caller.h"
#include "agent/sampling/walked_stack.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

AnchoredStack::AnchoredStack(Sampler& sampler, const ThreadRecord& thread, const Registers& from)
    : sampler_(sampler), scratch_(sampler.scratch().try_take()) {
  if (!scratch_) return;
  last_ = sampler.last_walks().try_take(&thread);
  if (from.pc() != 0)
    walk_ = walk_stack(sampler.vm(), from, thread.java_thread, scratch_.raw, sampler.shown_frames(), last_.walk);
  if (walk_.count + walk_.kept == 0) walk_from_anchor(thread.java_thread);  // it stands on another stack, say
}

// Above Java's frames stands what the event is of anyway, the same each time.
void AnchoredStack::walk_from_anchor(uint64_t java_thread) {
  const VmCode& vm = sampler_.vm();
  const FrameAnchor anchor = frame_anchor(vm.layout, java_thread);
  ShownFrames shown = sampler_.shown_frames();
  if (shown.stubs == StubFrames::kShown) shown.stubs = StubFrames::kBelow;
  if (anchor)
    walk_ = walk_from(vm, anchor, java_thread, scratch_.raw, last_.walk, shown);
  else if (last_.walk != nullptr)
    last_.walk->begin();  // nothing is kept of it
}

// What Java has called itself stands at the anchor.
Registers teller_of_event(const Sampler& sampler) {
  if (!sampler.shows_vm_above_events() || !has_room_here()) return {};
  const Registers from = caller_of_library(sampler.vm().modules, registers_here());
  return sampler.vm().code_cache.contains(from.pc()) ? Registers() : from;
}

AnchoredStack::~AnchoredStack() {
  if (!scratch_) return;
  sampler_.last_walks().give_back(last_);
  sampler_.scratch().give_back(scratch_);
}

Ref<StackFact> AnchoredStack::tag(Epoch& epoch, size_t without) const {
  if (!scratch_) {
    Engine::losses().note(Note::kStacksLost);
    return {};
  }
  const WalkedStack stack(sampler_.vm().layout, epoch, walk_, scratch_, last_.walk);
  if (without == 0 || stack.frames.frames.size() <= without)
    return epoch.intern_hashed(stack.frames, stack.truncated, 0);
  return epoch.intern_hashed(hashed(stack.frames.frames.subspan(without)), stack.truncated, 0);
}

}  // namespace rec::agent
