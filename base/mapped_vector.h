// SPDX-License-Identifier: Apache-2.0
// MappedVector is a std::vector that has a mapping of its own once it is large, so that all of it goes back to the system with it. What a
// thread has from malloc() and frees stays in that thread's part of the heap, as a rule (glibc's M_TRIM_THRESHOLD, which the largest block
// freed so far raises): each thread that reads the symbols of a library once would leave megabytes.
#pragma once

#include <cstddef>
#include <vector>

namespace base {

// Where no mapping is to be had, it is operator new's, and without memory it does as that. Any thread. It goes back by the function that is
// named beside it, with its size.
void* take_mapped(size_t bytes);
void give_back_mapped(void* memory, size_t bytes);

template <typename T>
struct OwnMapping {
  using value_type = T;

  OwnMapping() = default;
  template <typename U>
  OwnMapping(const OwnMapping<U>&) {}

  T* allocate(size_t count) { return static_cast<T*>(take_mapped(count * sizeof(T))); }  // at most max_size()
  void deallocate(T* memory, size_t count) { give_back_mapped(memory, count * sizeof(T)); }
  bool operator==(const OwnMapping&) const = default;
};

template <typename T>
using MappedVector = std::vector<T, OwnMapping<T>>;

}  // namespace base
