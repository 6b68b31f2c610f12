// SPDX-License-Identifier: Apache-2.0
// Walks a stack into an ASGST_Stack: in the thread itself, or from outside while it is not in Java.
#pragma once

#include <asgst.h>
#include <ucontext.h>

#include <cstdint>

#include "agent/asgst/caller_stack.h"
#include "agent/asgst/session.h"
#include "agent/hotspot/walk/frame_anchor.h"

namespace rec::agent::asgst {

// Signal-safe, as the rest here. In a handler of the thread whose stack it is. An ASGST_Error.
int read_own_stack(const Session& session, CallerStack stack, const ucontext_t& context);

// Where a thread left Java, as it says itself. Two that are equal, with a walk between, speak for the walk.
struct Departure {
  uint64_t java_thread = 0;
  FrameAnchor anchor;
  uint32_t state = 0;
  friend bool operator==(const Departure&, const Departure&) = default;
};
Departure departure_of(const Session& session, int32_t os_id);  // java_thread 0: there is no such thread

// From outside: the walk is only worth something when the departure is the same afterwards. An ASGST_Error.
int read_stack_from(const Session& session, CallerStack stack, const Departure& departure);

}  // namespace rec::agent::asgst
