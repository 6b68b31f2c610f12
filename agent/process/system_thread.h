// SPDX-License-Identifier: Apache-2.0
// What the system knows the calling thread by. Signal-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

int32_t own_thread_id();

// As others find it in /proc/self/task/ID/comm: 15 bytes at most.
class SystemName {
 public:
  SystemName() = default;  // of no thread
  static SystemName own();

  const char* c_str() const { return bytes_.data(); }
  size_t size() const;
  bool operator==(const SystemName&) const = default;

 private:
  std::array<char, 16> bytes_{};  // and a zero
};

}  // namespace rec::agent
