// SPDX-License-Identifier: Apache-2.0
// MappedVector is a std::vector that has a mapping of its own once it is large, so that all of it goes back to the system with it. What a
// thread has from malloc() and frees stays in that thread's part of the heap, as a rule (glibc's M_TRIM_THRESHOLD, which the largest block
// freed so far raises): each thread that reads the symbols of a library once would leave megabytes.
#pragma once

#include <cstddef>
#include <vector>

#include "base/vector_memory.h"

namespace base {

// Where no mapping is to be had, it is operator new's, and without memory it does as that. Any thread. It goes back by the function that is
// named beside it, with its size.
void* take_mapped(size_t bytes);
void give_back_mapped(void* memory, size_t bytes);

template <typename T>
using MappedVector = std::vector<T, VectorMemory<T, take_mapped, give_back_mapped>>;

}  // namespace base
