// SPDX-License-Identifier: Apache-2.0
// LargeVector is a std::vector for what may be millions of elements that are read at random places. Once it is large it
// lies in pages of 2 MiB, where the system gives these (huge_pages.h): the processor finds them sooner, and growing asks the
// kernel for memory five hundred times less often.
#pragma once

#include <cstddef>
#include <vector>

#include "base/vector_memory.h"

namespace base {

// Memory of any size: small is operator new's, large has a mapping of its own, which begins where a large page does. Without
// memory all of them end as operator new does. Any thread. It goes back by the function that is named beside it, with its size.
void* take_memory(size_t bytes);
void give_back_memory(void* memory, size_t bytes);

// Likewise, by malloc() where it is small, and it keeps its bytes when its size changes. 0: none.
void* resize_memory(void* memory, size_t bytes, size_t to_bytes);

template <typename T>
using LargeVector = std::vector<T, VectorMemory<T, take_memory, give_back_memory>>;

}  // namespace base
