// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/wait_state.h"

#include "agent/hotspot/processor/safe_load.h"
#include "recorder/spool/event_log.h"

namespace rec::agent {

uint32_t wait_state(const Layout& layout, uint64_t java_thread, uint64_t top) {
  const auto noted = [&](uint32_t offset) { return offset != kAbsent && u64_at(java_thread + offset) != 0; };
  if (noted(layout.thread.pending_monitor)) return kStateBlockedOnEnter;
  if (noted(layout.thread.waiting_monitor)) return kStateInObjectWait;
  if (layout.waits.is_yield(top)) return kStateRunnable;
  return top != 0 && layout.waits.is_park(top) ? kStateParked : kStateSleeping;
}

}  // namespace rec::agent
