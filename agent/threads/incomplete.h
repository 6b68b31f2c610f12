// SPDX-License-Identifier: Apache-2.0
// Why a stack is not whole, in words; empty: it is.
#pragma once

#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent {

inline constexpr char kDeeper[] = "the stack is deeper than what is kept";

inline const char* why_incomplete(const Walk& walk) {
  if (walk.end == WalkEnd::kDepth) return kDeeper;
  if (walk.gap) return "frames of a virtual thread that are being moved in the heap are missing";
  if (!walk.complete()) return "the walk broke off";
  return "";
}

}  // namespace rec::agent
