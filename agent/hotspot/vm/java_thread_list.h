// SPDX-License-Identifier: Apache-2.0
// The VM's own list of its JavaThreads, where the layout knows it. It has those that JVMTI does not tell of, too. Read by safe
// loads: one that ends meanwhile is visited, or is not. Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/load_order.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

inline constexpr uint32_t kMostListedThreads = 1 << 16;  // of a longer one, the first

inline bool knows_java_thread_list(const Layout& layout) { return layout.threads_list.newest != 0; }

// Calls visit(java_thread) for each that the list has; returns how many these were.
template <typename Visit>
uint32_t visit_java_threads(const Layout& layout, Visit visit) {
  const Layout::ThreadsList& part = layout.threads_list;
  const uint64_t list = u64_at(part.newest), threads = u64_at(list + part.threads);
  const uint32_t length = u32_at(list + part.length);
  const uint32_t count = length < kMostListedThreads ? length : kMostListedThreads;
  for (uint32_t i = 0; i < count; ++i) visit(u64_at(threads + uint64_t{i} * sizeof(uint64_t)));
  return count;
}

// Calls read(), which visits the list, again if another list has taken its place meanwhile: what was read of the one before
// may have been somebody else's memory already. A few times; who starts and ends threads all the time is read as it is.
template <typename Read>
void read_settled_list(const Layout& layout, Read read) {
  constexpr int kMostReads = 3;
  for (int i = 0; i < kMostReads; ++i) {
    const uint64_t list = u64_at(layout.threads_list.newest);
    read();
    loads_until_here();
    if (u64_at(layout.threads_list.newest) == list) return;
  }
}

}  // namespace rec::agent
