// SPDX-License-Identifier: Apache-2.0
#include "agent/process/memory.h"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "agent/process/handler_local.h"

namespace rec::agent {
namespace {

constexpr unsigned kPauseUs = 20'000;

REC_HANDLER_LOCAL bool may_wait = false;

void* allocate(size_t size, size_t alignment) {
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void* allocate_or_wait(size_t size, size_t alignment) {
  for (;;) {
    if (void* memory = allocate(size, alignment)) return memory;
    if (!may_wait) std::abort();
    usleep(kPauseUs);
  }
}

}  // namespace

void wait_for_memory() { may_wait = true; }

bool is_thread_of_ours() { return may_wait; }

}  // namespace rec::agent

using rec::agent::allocate;
using rec::agent::allocate_or_wait;

void* operator new(size_t size) { return allocate_or_wait(size, 1); }
void* operator new[](size_t size) { return allocate_or_wait(size, 1); }
void* operator new(size_t size, std::align_val_t to) { return allocate_or_wait(size, static_cast<size_t>(to)); }
void* operator new[](size_t size, std::align_val_t to) { return allocate_or_wait(size, static_cast<size_t>(to)); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
