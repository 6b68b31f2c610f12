// SPDX-License-Identifier: Apache-2.0
// ThreadTable leads from the system's id of a thread to its JavaThread: one word for each id that there can be, of
// which only the touched pages take memory. So finding is one load, and nothing ever fills up. But for reserve():
// Signal-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rec::agent::asgst {

class ThreadTable {
 public:
  // Ordinary thread, once. False: there is no address space for it.
  bool reserve();

  // 0: not a thread that Java knows. acquire: pairs with the release in set(); its fields are there.
  uint64_t find(int32_t os_id) const { return is_id(os_id) ? words_[os_id].load(std::memory_order_acquire) : 0; }
  // release: pairs with the acquire in find().
  void set(int32_t os_id, uint64_t java_thread) {
    if (is_id(os_id)) words_[os_id].store(java_thread, std::memory_order_release);
  }

 private:
  static constexpr int32_t kIds = 1 << 22;  // PID_MAX_LIMIT of 64-bit kernels (include/linux/threads.h)
  bool is_id(int32_t os_id) const { return words_ != nullptr && os_id > 0 && os_id < kIds; }

  std::atomic<uint64_t>* words_ = nullptr;  // JavaThread*; 0: none
};

}  // namespace rec::agent::asgst
