// SPDX-License-Identifier: Apache-2.0
// The calling thread's pointer, and what lies around it (ELF Handling for Thread-Local Storage, variant I): the variables of
// what was loaded at start lie above two words.
//
//   musl's header | table of blocks | -> thread pointer | table of blocks | - | variables ...
//                                       glibc: sysdeps/aarch64/nptl/tls.h     musl: arch/aarch64/pthread_arch.h
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

inline constexpr int64_t kBlocksOfGlibc = 0, kBlocksOfMusl = -8;  // bytes from the pointer to the table's address
inline constexpr bool kLocalsBelow = false;                       // those at a fixed distance lie above the pointer

inline uint64_t thread_pointer() {
  uint64_t pointer;
  asm("mrs %[to], tpidr_el0" : [to] "=r"(pointer));
  return pointer;
}

}  // namespace rec::agent
