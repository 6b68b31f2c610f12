// SPDX-License-Identifier: Apache-2.0
// What the agent knows of one Java thread. Written by the thread itself, or by an ordinary thread before the thread's
// clock runs; its own signal handler reads it. Records are pooled and never freed: a handler may look at any of them at
// any time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "recorder/epoch/epoch.h"

namespace rec::agent {

inline constexpr size_t kMaxThreadName = 256;  // bytes; longer names are cut

struct ThreadRecord {
  std::atomic<int32_t> os_id{0};  // 0: the record is free
  int64_t java_id = 0;
  uint64_t java_thread = 0;  // JavaThread*, valid until the thread's end
  // When the thread became known; 0: not known.
  int32_t java_priority = 0;
  std::array<char, kMaxThreadName> name{};
  std::array<char, kMaxThreadName> group{};
  uint16_t name_size = 0, group_size = 0;

  ThreadTag tag;           // of the thread
  ThreadTag virtual_tag;   // of the virtual thread it carries,
  int64_t virtual_id = 0;  // which is this one

  // Of the recording before, at a time when the thread's clock does not run.
  void forget_tags() {
    for (ThreadTag* each : {&tag, &virtual_tag})
      for (auto& word : each->word) word.store(0, std::memory_order_relaxed);
    virtual_id = 0;
  }

  // Its CPU clock; under the registry's lock.
  bool clocked = false;
  int perf_fd = -1;
  void* timer = nullptr;
  bool has_timer = false;
  int clock_signal = 0;  // what it raises
  // Thread CPU time up to which samples, or counted losses, stand for it. The thread's handler and the housekeeper take
  // what is new.
  std::atomic<int64_t> cpu_seen_ns{0};
  // Of the thread itself, in its handler, and of who starts the clock.
  int64_t cpu_owed_ns = 0;  // CPU time that no sample stands for yet; negative: lent

  ThreadRecord* next_free = nullptr;
};

}  // namespace rec::agent
