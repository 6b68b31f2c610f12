// SPDX-License-Identifier: Apache-2.0
// VectorMemory is what a std::vector takes its memory by, where that is not operator new's: of two functions that are each other's
// opposite.
#pragma once

#include <cstddef>

namespace base {

template <typename T, void* (*kTake)(size_t bytes), void (*kGiveBack)(void* memory, size_t bytes)>
struct VectorMemory {
  using value_type = T;
  template <typename U>
  struct rebind {
    using other = VectorMemory<U, kTake, kGiveBack>;
  };

  VectorMemory() = default;
  template <typename U>
  VectorMemory(const VectorMemory<U, kTake, kGiveBack>&) {}

  T* allocate(size_t count) { return static_cast<T*>(kTake(count * sizeof(T))); }  // at most max_size()
  void deallocate(T* memory, size_t count) { kGiveBack(memory, count * sizeof(T)); }
  bool operator==(const VectorMemory&) const = default;
};

}  // namespace base
