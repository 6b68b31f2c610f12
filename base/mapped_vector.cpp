// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_vector.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace base {
namespace {

constexpr size_t kLeastMapped = 64u << 10;
constexpr uintptr_t kPageSize = 4096;
constexpr size_t kInFront = 16;  // of a block that is not mapped: where it begins

// A mapping begins where a page does, and a block never.
bool is_mapped(const void* memory) { return reinterpret_cast<uintptr_t>(memory) % kPageSize == 0; }

void* take_block(size_t bytes) {
  auto* const begin = static_cast<uint8_t*>(::operator new(bytes + 2 * kInFront));
  uint8_t* const memory = begin + (is_mapped(begin + kInFront) ? 2 * kInFront : kInFront);
  reinterpret_cast<void**>(memory)[-1] = begin;
  return memory;
}

}  // namespace

void* take_mapped(size_t bytes) {
  if (bytes < kLeastMapped) return ::operator new(bytes);
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped != MAP_FAILED ? mapped : take_block(bytes);
}

void give_back_mapped(void* memory, size_t bytes) {
  if (bytes < kLeastMapped)
    ::operator delete(memory);
  else if (is_mapped(memory))
    ::munmap(memory, bytes);
  else
    ::operator delete(reinterpret_cast<void**>(memory)[-1]);
}

}  // namespace base
