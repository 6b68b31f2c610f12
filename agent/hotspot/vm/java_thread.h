// SPDX-License-Identifier: Apache-2.0
// What a JavaThread says of itself, read by safe loads: a thread that has gone reads as 0. Signal-safe.
#pragma once

#include "agent/hotspot/processor/prefetch.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// The system's id of the thread; 0: it has none, or has ended.
inline int32_t os_thread_id(const Layout& layout, uint64_t java_thread) {
  return static_cast<int32_t>(u32_at(u64_at(java_thread + layout.thread.osthread) + layout.os_thread.id));
}

// os_thread_id() will be asked for.
inline void expect_os_thread(const Layout& layout, uint64_t java_thread) {
  prefetch(u64_at(java_thread + layout.thread.osthread) + layout.os_thread.id);
}

// JavaThread::_thread_state: a number that differs between versions, for what follows.
inline uint32_t state_word(const Layout& layout, uint64_t java_thread) {
  return u32_at(java_thread + layout.thread.state);
}

inline VmState vm_state(const Layout& layout, uint32_t word) {
  return word < Layout::States::kCount ? layout.states.kinds[word] : VmState::kUnknown;
}

inline bool in_transition(const Layout& layout, uint32_t word) {
  return word < Layout::States::kCount && layout.states.transitions[word];
}

// In Java and not on its way out.
inline bool runs_java(const Layout& layout, uint32_t word) { return word == layout.states.in_java; }

}  // namespace rec::agent
