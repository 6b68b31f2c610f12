// SPDX-License-Identifier: Apache-2.0
// The system's id of a thread, from its JavaThread; 0: it has none, or has ended. Signal-safe.
#pragma once

#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {

inline int32_t os_thread_id(const Layout& layout, uint64_t java_thread) {
  return static_cast<int32_t>(u32_at(u64_at(java_thread + layout.thread_osthread) + layout.osthread_id));
}

}  // namespace rec::agent
