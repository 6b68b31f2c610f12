// SPDX-License-Identifier: Apache-2.0
// LargeVector is a std::vector for what may be millions of elements that are read at random places. Once it is large it
// lies in pages of 2 MiB, where the system gives these (huge_pages.h): the processor finds them sooner, and growing asks the
// kernel for memory five hundred times less often.
#pragma once

#include <cstddef>
#include <vector>

namespace base {

// Memory of any size: small is operator new's, large has a mapping of its own, which begins where a large page does. Without
// memory all of them end as operator new does. Any thread. It goes back by the function that is named beside it, with its size.
void* take_memory(size_t bytes);
void give_back_memory(void* memory, size_t bytes);

// Likewise, by malloc() where it is small, and it keeps its bytes when its size changes. 0: none.
void* resize_memory(void* memory, size_t bytes, size_t to_bytes);

template <typename T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <typename U>
  LargePages(const LargePages<U>&) {}

  T* allocate(size_t count) { return static_cast<T*>(take_memory(count * sizeof(T))); }  // at most max_size()
  void deallocate(T* memory, size_t count) { give_back_memory(memory, count * sizeof(T)); }
  bool operator==(const LargePages&) const = default;
};

template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace base
