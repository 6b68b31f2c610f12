// SPDX-License-Identifier: Apache-2.0
// The calling thread's pointer, and what lies around it (ELF Handling for Thread-Local Storage, variant II): the thread's header
// begins there, and the variables of what was loaded at start lie below.
//
//   ... | variables -> thread pointer | itself | table of blocks | ...          glibc: sysdeps/x86_64/nptl/tls.h
//                                                                               musl: src/internal/pthread_impl.h
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

inline constexpr int64_t kBlocksOfGlibc = 8, kBlocksOfMusl = 8;  // bytes from the pointer to the table's address
inline constexpr bool kLocalsBelow = true;                       // those at a fixed distance lie below the pointer

inline uint64_t thread_pointer() {
  uint64_t pointer;
  asm("movq %%fs:0, %[to]" : [to] "=r"(pointer));
  return pointer;
}

}  // namespace rec::agent
