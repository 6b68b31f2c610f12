// SPDX-License-Identifier: Apache-2.0
// WalkedStack is what a walk has found, with the names that a sample shows: its frames and those of the walk before that
// stand still, or one frame that says why there are none (stand_in.h). For handlers.
#pragma once

#include "agent/hotspot/state/thread_kind.h"
#include "agent/hotspot/walk/last_walk.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "agent/sampling/scratch_pool.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

struct WalkedStack {
  HashedFrames frames;  // in the scratch or in `last`, until either is used again
  bool truncated = false;
  uint32_t unnamed = 0;  // frames whose method could not be read

  // The pin's epoch; `last` is that of the walk, or null.
  WalkedStack(const Layout& layout, Epoch& epoch, const Walk& walk, const ScratchPool::Scratch& scratch,
              LastWalk* last);
};

// Likewise of a thread that Java does not know, as it is stored. Where outer frames are missing, one that says what the
// thread is for stands in their place. samples: lost with it if there is no room.
Ref<StackFact> intern_native_walk(const Layout& layout, Epoch& epoch, const Walk& walk,
                                  const ScratchPool::Scratch& scratch, ThreadKind kind, uint32_t samples);

}  // namespace rec::agent
