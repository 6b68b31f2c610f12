// SPDX-License-Identifier: Apache-2.0
// Why a stack is not whole, in words; empty: it is.
#pragma once

#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent {

inline const char* why_incomplete(const Walk& walk) {
  if (walk.end == WalkEnd::kDepth) return "the stack is deeper than what is kept";
  if (walk.gap) return "frames of a virtual thread that are being moved in the heap are missing";
  if (!walk.complete()) return "the walk broke off";
  return "";
}

}  // namespace rec::agent
