// SPDX-License-Identifier: Apache-2.0
// LargeVector is a std::vector for what may be millions of elements that are read at random places. Once it is large it
// lies in pages of 2 MiB, where the system gives these (huge_pages.h): the processor finds them sooner, and growing asks the
// kernel for memory five hundred times less often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace base {

// Memory of its own mapping, which begins where a large page does. Without memory it ends as operator new does. Any thread.
void* map_large(size_t bytes);
void unmap_large(void* memory, size_t bytes);

// The least that is mapped so, in bytes.
#ifdef __SANITIZE_ADDRESS__
inline constexpr size_t kLeastLarge = SIZE_MAX;  // the sanitizer watches what it gives itself
#else
inline constexpr size_t kLeastLarge = size_t{4} << 20;
#endif

// Memory of any size, by malloc() where it is small, that keeps its bytes when its size changes. 0: none. Else as map_large().
void* resize_memory(void* memory, size_t bytes, size_t to_bytes);

template <typename T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <typename U>
  LargePages(const LargePages<U>&) {}

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);  // a vector asks for no more than max_size()
    return static_cast<T*>(bytes < kLeastLarge ? ::operator new(bytes) : map_large(bytes));
  }
  void deallocate(T* memory, size_t count) {
    if (const size_t bytes = count * sizeof(T); bytes < kLeastLarge)
      ::operator delete(memory);
    else
      unmap_large(memory, bytes);
  }
  bool operator==(const LargePages&) const = default;
};

template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace base
