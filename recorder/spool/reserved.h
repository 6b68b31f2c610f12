// SPDX-License-Identifier: Apache-2.0
// Reserved is address space that costs nothing until it is touched: zero at first, zero again after clear(). The owner
// sees to it that nobody else uses it during clear(). Recorder thread and start only.
#pragma once

#include <cstddef>

namespace rec {

class Reserved {
 public:
  Reserved() = default;
  Reserved(Reserved&& other) noexcept;
  Reserved& operator=(Reserved&& other) noexcept;
  ~Reserved();

  bool reserve(size_t bytes);  // false: the system refuses (address space limit, strict overcommit)
  void clear();
  void leak() { address_ = nullptr; }  // somebody may still write to it
  void* get() const { return address_; }

 private:
  void* address_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace rec
