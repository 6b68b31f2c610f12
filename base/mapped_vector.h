// SPDX-License-Identifier: Apache-2.0
// MappedVector is a std::vector that has a mapping of its own once it is large, so that all of it goes back to the system with it. What a
// thread has from malloc() and frees stays in that thread's part of the heap, as a rule (glibc's M_TRIM_THRESHOLD, which the largest block
// freed so far raises): each thread that reads the symbols of a library once would leave megabytes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <vector>

namespace base {

template <typename T>
struct OwnMapping {
  using value_type = T;
  static constexpr size_t kLeastMapped = 64u << 10;
  static constexpr unsigned kPauseUs = 20'000;

  OwnMapping() = default;
  template <typename U>
  OwnMapping(const OwnMapping<U>&) {}

  // At most max_size(). Without memory it does as operator new: it ends, or waits until there is some.
  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    if (bytes < kLeastMapped) return static_cast<T*>(::operator new(bytes));
    for (;; ::usleep(kPauseUs)) {
      void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (mapped != MAP_FAILED) return static_cast<T*>(mapped);
      ::operator delete(::operator new(bytes));
    }
  }
  void deallocate(T* memory, size_t count) {
    const size_t bytes = count * sizeof(T);
    if (bytes < kLeastMapped)
      ::operator delete(memory);
    else
      ::munmap(memory, bytes);
  }
  bool operator==(const OwnMapping&) const = default;
};

template <typename T>
using MappedVector = std::vector<T, OwnMapping<T>>;

}  // namespace base
