// SPDX-License-Identifier: Apache-2.0
// What an ObjectMonitor of the VM says (src/hotspot/share/runtime/objectMonitor.hpp): which one a thread waits at, and who
// holds it. A monitor stays as long as a thread waits at it. Safe loads; signal-safe.
#pragma once

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/state/waiting.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// That the thread is about to enter, or waits to be notified by; 0: none, or the VM does not tell.
inline uint64_t pending_monitor(const Layout& layout, uint64_t java_thread) {
  return layout.thread.pending_monitor == kAbsent ? 0 : u64_at(java_thread + layout.thread.pending_monitor);
}
inline uint64_t waiting_monitor(const Layout& layout, uint64_t java_thread) {
  return layout.thread.waiting_monitor == kAbsent ? 0 : u64_at(java_thread + layout.thread.waiting_monitor);
}

// For owners.h.
inline OwnerWord owner_of_monitor(const Layout& layout, uint64_t monitor) {
  OwnerWord owner;
  if (monitor != 0 && layout.monitor.owner != kAbsent) owner.word = u64_at(monitor + layout.monitor.owner);
  return owner;
}

// Whether that word means the thread: itself, its id, or a place on its stack. Of a monitor that was locked on its owner's
// lock stack it tells nobody (owners.h).
inline bool is_owner(const Layout& layout, uint64_t word, uint64_t java_thread, int64_t id) {
  if (word <= 1 || layout.monitor.owner_is_id) return word > 1 && word == static_cast<uint64_t>(id);
  const uint64_t base = u64_at(java_thread + layout.thread.stack_base);
  return word == java_thread || (word < base && word >= base - u64_at(java_thread + layout.thread.stack_size));
}

// Whether a monitor has the same owner still, and this JavaThread still runs as that one: a virtual thread may have left it
// and hold on to the monitor (JDK 24 on).
struct OwnerCheck {
  uint64_t address = 0;  // of the word; 0: nothing is asked
  uint64_t word = 0;
  uint32_t runs_as = kAbsent;  // of a JavaThread: the id of the thread that it runs as
  bool holds(uint64_t java_thread) const {
    if (address == 0) return true;
    return u64_at(address) == word && (word <= 1 || runs_as == kAbsent || u64_at(java_thread + runs_as) == word);
  }
};
inline OwnerCheck owner_check(const Layout& layout, uint64_t monitor, const OwnerWord& owner) {
  return {monitor + layout.monitor.owner, owner.word, layout.monitor.owner_is_id ? layout.thread.owner_id : kAbsent};
}

}  // namespace rec::agent
