// SPDX-License-Identifier: Apache-2.0
// ThreadRegistry holds the records of all live Java threads. A handler finds its own by thread-local storage, or, on
// threads that were there before the agent, once by its id.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "agent/sampling/thread_record.h"

namespace rec::agent {

class ThreadRegistry {
 public:
  // At a time; threads beyond it are not sampled, and counted as "noThread".
  static constexpr uint32_t kMaxThreads = 1 << 16;

  ThreadRegistry();

  // Ordinary threads. The thread's record: the one it has, or a new one that is empty but for its id, and then
  // record.java_thread is 0. Nothing when the registry is full.
  ThreadRecord* add(int32_t os_id);
  void remove(ThreadRecord* record);

  // Calls visit(record) for each live record, under the registry's lock: no thread starts or ends meanwhile.
  template <typename Visit>
  void for_each(Visit visit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (uint32_t i = 0; i < used_.load(std::memory_order_relaxed); ++i)
      if (records_[i]->os_id.load(std::memory_order_relaxed) != 0) visit(*records_[i]);
  }

  // The same for at most `count` records from the from-th on; returns where to go on, 0 after the last. Nothing is
  // visited when the lock is taken: who looks often waits for nobody.
  template <typename Visit>
  uint32_t try_some(uint32_t from, uint32_t count, Visit visit) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return from;
    const uint32_t used = used_.load(std::memory_order_relaxed);
    for (; count > 0 && from < used; --count, ++from)
      if (records_[from]->os_id.load(std::memory_order_relaxed) != 0) visit(*records_[from]);
    return from < used ? from : 0;
  }

  // Calls act() under the same lock. What for_each() must see whole or not at all goes here.
  template <typename Act>
  void exclusively(Act act) {
    const std::lock_guard<std::mutex> lock(mutex_);
    act();
  }

  // Signal-safe: the calling thread's record, or nullptr.
  ThreadRecord* current();

 private:
  std::mutex mutex_;
  std::unordered_map<int32_t, ThreadRecord*> by_os_id_;  // under mutex_
  ThreadRecord* free_ = nullptr;                         // under mutex_
  std::unique_ptr<ThreadRecord*[]> records_;             // [0, used_) are set and stay
  std::atomic<uint32_t> used_{0};                        // only grows
};

}  // namespace rec::agent
