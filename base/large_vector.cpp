// SPDX-License-Identifier: Apache-2.0
#include "base/large_vector.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/huge_pages.h"

namespace base {
namespace {

constexpr size_t kPage = size_t{2} << 20;
// The least that is mapped.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kLeastLarge = SIZE_MAX;  // the sanitizer watches what it gives itself
#else
constexpr size_t kLeastLarge = size_t{4} << 20;
#endif

size_t in_pages(size_t bytes) { return (bytes + kPage - 1) & ~(kPage - 1); }

void* without_memory() { return ::operator new(PTRDIFF_MAX); }  // which nobody has: it tells

// A page more is mapped than is needed, and what lies outside of the whole ones goes back.
void* map_pages(size_t size) {
  void* const mapped = ::mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return without_memory();
  auto* const from = static_cast<uint8_t*>(mapped);
  const size_t before = in_pages(reinterpret_cast<uintptr_t>(from)) - reinterpret_cast<uintptr_t>(from);
  if (before != 0) ::munmap(from, before);
  if (before != kPage) ::munmap(from + before + size, kPage - before);
  return from + before;
}

// Where it lies, if there is room behind it; else to where a large page begins.
void* move_pages(void* memory, size_t size, size_t to_size) {
  void* moved = ::mremap(memory, size, to_size, 0);
  if (moved == MAP_FAILED) moved = ::mremap(memory, size, to_size, MREMAP_MAYMOVE | MREMAP_FIXED, map_pages(to_size));
  return moved != MAP_FAILED ? moved : without_memory();
}

void* resize_small(void* memory, size_t bytes) {
  void* const resized = std::realloc(memory, bytes);
  return resized != nullptr ? resized : without_memory();
}

void* map_large(size_t bytes) {
  void* const memory = map_pages(in_pages(bytes));
  want_huge_pages(memory, in_pages(bytes));
  return memory;
}

}  // namespace

void* take_memory(size_t bytes) { return bytes < kLeastLarge ? ::operator new(bytes) : map_large(bytes); }

void give_back_memory(void* memory, size_t bytes) {
  if (bytes < kLeastLarge)
    ::operator delete(memory);
  else
    ::munmap(memory, in_pages(bytes));
}

void* resize_memory(void* memory, size_t bytes, size_t to_bytes) {
  const bool is_large = bytes >= kLeastLarge, to_large = to_bytes >= kLeastLarge;
  if (is_large && to_large) return move_pages(memory, in_pages(bytes), in_pages(to_bytes));
  if (!is_large && !to_large && to_bytes != 0) return resize_small(memory, to_bytes);
  void* const resized = to_large ? map_large(to_bytes) : to_bytes != 0 ? resize_small(nullptr, to_bytes) : nullptr;
  if (const size_t kept = std::min(bytes, to_bytes); kept != 0) std::memcpy(resized, memory, kept);
  if (is_large)
    ::munmap(memory, in_pages(bytes));
  else
    std::free(memory);
  return resized;
}

}  // namespace base
