// SPDX-License-Identifier: Apache-2.0
// How many bytes a thread of Java has allocated, as Thread::cooked_allocated_bytes() counts them
// (src/hotspot/share/runtime/thread.inline.hpp): what its buffers held that are full, and what of the present one is used.
// The words are the thread's own and are read while it runs: a buffer that is just being changed counts as unused.
// Needs only that the thread does not end meanwhile. Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class ThreadAllocation {
 public:
  void open();  // once, from an ordinary thread
  bool known() const { return allocated_ != kAbsent; }
  uint32_t allocated_at() const { return allocated_; }  // known(): Thread::_allocated_bytes in a thread
  int64_t bytes(uint64_t java_thread) const;            // known(). -1: it cannot be read

 private:
  uint32_t allocated_ = kAbsent, start_ = kAbsent, top_ = kAbsent, end_ = kAbsent;
};

}  // namespace rec::agent
