// SPDX-License-Identifier: Apache-2.0
// Epoch::take, for the two files that implement Epoch.
#pragma once

#include "recorder/epoch/epoch.h"

namespace rec {

// Room for a Fact and `extra_bytes` after it, all zero. Nothing: there is none, and it has been counted.
template <typename Fact>
Ref<Fact> Epoch::take(size_t extra_bytes, Arena::Block& block) {
  block = arena_.take(sizeof(Fact) + extra_bytes);
  if (block.wake) config_.waker->wake();
  if (block.outcome == Meter::Outcome::kTaken) return {block.unit};
  refuse();
  return {};
}

}  // namespace rec
