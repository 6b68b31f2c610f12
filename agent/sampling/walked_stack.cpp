// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/walked_stack.h"

#include "agent/hotspot/walk/tagger.h"
#include "agent/sampling/stand_in.h"

namespace rec::agent {

WalkedStack::WalkedStack(const Layout& layout, Epoch& epoch, const Walk& walk, const ScratchPool::Scratch& scratch,
                         LastWalk* last) {
  const Tagger::Stack stack = Tagger(layout, epoch).stack(walk, scratch.raw.data(), last, scratch.frames);
  frames = stack.frames;
  unnamed = stack.unnamed;
  truncated = walk.truncated();
  if (!frames.frames.empty()) return;
  scratch.frames[0] = stand_in_frame(epoch, walk.end);
  frames = hashed({scratch.frames, 1});
}

Ref<StackFact> intern_native_walk(const Layout& layout, Epoch& epoch, const Walk& walk,
                                  const ScratchPool::Scratch& scratch, ThreadKind kind, uint32_t samples) {
  const Tagger::Stack tagged = Tagger(layout, epoch).stack(walk, scratch.raw.data(), nullptr, scratch.frames);
  HashedFrames stack = tagged.frames;
  if (walk.native_gap && walk.count < scratch.raw.size()) {
    scratch.frames[walk.count] = stand_in_frame(epoch, kind);
    stack = hashed({scratch.frames, walk.count + 1});
  }
  return epoch.intern_hashed(stack, !walk.complete(), samples);
}

}  // namespace rec::agent
