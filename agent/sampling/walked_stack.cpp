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

}  // namespace rec::agent
