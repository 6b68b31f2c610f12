// SPDX-License-Identifier: Apache-2.0
// ThreadTable leads from the system's id of a thread to its JavaThread, and to the id that Java gives it: a row for each id
// that there can be, of which only the touched pages take memory. So finding is one load, and nothing ever fills up. But
// for reserve(): Signal-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rec::agent::asgst {

class ThreadTable {
 public:
  // Ordinary thread, once. False: there is no address space for it.
  bool reserve();

  // 0: not a thread that Java knows. acquire: pairs with the release in set(); its fields are there, and its id.
  uint64_t find(int32_t os_id) const {
    return is_id(os_id) ? rows_[os_id].java_thread.load(std::memory_order_acquire) : 0;
  }
  // Thread.threadId() of the one that was found.
  int64_t java_id(int32_t os_id) const {
    return is_id(os_id) ? rows_[os_id].java_id.load(std::memory_order_relaxed) : 0;
  }
  // release: pairs with the acquire in find().
  void set(int32_t os_id, uint64_t java_thread, int64_t java_id) {
    if (!is_id(os_id)) return;
    rows_[os_id].java_id.store(java_id, std::memory_order_relaxed);
    rows_[os_id].java_thread.store(java_thread, std::memory_order_release);
  }

 private:
  static constexpr int32_t kIds = 1 << 22;  // PID_MAX_LIMIT of 64-bit kernels (include/linux/threads.h)
  struct Row {
    std::atomic<uint64_t> java_thread;  // JavaThread*; 0: none
    std::atomic<int64_t> java_id;
  };
  bool is_id(int32_t os_id) const { return rows_ != nullptr && os_id > 0 && os_id < kIds; }

  Row* rows_ = nullptr;
};

}  // namespace rec::agent::asgst
