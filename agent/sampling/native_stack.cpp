// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/native_stack.h"

#include "agent/sampling/walked_stack.h"

namespace rec::agent {

NativeStack::NativeStack(Sampler& sampler, const Registers& from) : sampler_(sampler) {
  if (from.pc() == 0) return;
  scratch_ = sampler.scratch().try_take();
  if (scratch_) walk_ = walk_native_thread(sampler.vm(), from, scratch_.raw, sampler.shown_frames());
}

NativeStack::~NativeStack() {
  if (scratch_) sampler_.scratch().give_back(scratch_);
}

Ref<StackFact> NativeStack::tag(Epoch& epoch, ThreadKind kind) const {
  return intern_native_walk(sampler_.vm().layout, epoch, walk_, scratch_, kind, 0);
}

}  // namespace rec::agent
