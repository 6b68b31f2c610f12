// SPDX-License-Identifier: Apache-2.0
// Threads that were found at work lately, which are looked at for handshakes each time. The others take turns, of
// kSweep threads a look, and of thousands each has its turn too seldom for a handshake of 30 ms. Only who works keeps
// others waiting, and few can work at a time. The watching thread's alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agent/sampling/thread_registry.h"

namespace rec::agent {

class BusyThreads {
 public:
  static constexpr size_t kMost = 128;                  // others wait for their turns
  static constexpr int64_t kStaysBusyNs = 500'000'000;  // after it was at work

  // It is at work: in Java, or in the VM.
  void note(ThreadRecord& record, int64_t now) {
    const int32_t os_id = record.os_id.load(std::memory_order_relaxed);
    const auto known = std::ranges::find(threads_, &record, &Busy::record);
    if (known != threads_.end())
      known->until_ticks = now + kStaysBusyNs;
    else if (threads_.size() < kMost)
      threads_.push_back({&record, os_id, now, now + kStaysBusyNs});
  }

  // visit(record, when it was looked at before): returns whether it is at work.
  template <typename Visit>
  void look(int64_t now, Visit visit) {
    std::erase_if(threads_, [&](Busy& each) {
      // acquire: pairs with the releases in ThreadRegistry::add() and remove(): the JavaThread is that of the thread.
      if (each.record->os_id.load(std::memory_order_acquire) != each.os_id) return true;
      if (visit(*each.record, each.looked_ticks)) each.until_ticks = now + kStaysBusyNs;
      each.looked_ticks = now;
      return each.until_ticks < now;
    });
  }

 private:
  struct Busy {
    ThreadRecord* record;
    int32_t os_id;
    int64_t looked_ticks, until_ticks;
  };
  std::vector<Busy> threads_;
};

}  // namespace rec::agent
