// SPDX-License-Identifier: Apache-2.0
// The registers of the function that asks, as its callers need them: those that a call leaves alone. They are those of its
// frame for as long as it has not returned. Signal-safe.
#pragma once

#include "agent/hotspot/aarch64/registers.h"

namespace rec::agent::aarch64 {

[[gnu::always_inline]] inline Registers registers_here() {
  Registers here = Registers::only(0, 0);
  asm volatile(
      "adr x9, .\n"
      "mov x10, sp\n"
      "stp x19, x20, [%[to], #8 * 19]\n"
      "stp x21, x22, [%[to], #8 * 21]\n"
      "stp x23, x24, [%[to], #8 * 23]\n"
      "stp x25, x26, [%[to], #8 * 25]\n"
      "stp x27, x28, [%[to], #8 * 27]\n"
      "stp x29, x30, [%[to], #8 * 29]\n"
      "stp x10, x9, [%[to], #8 * 31]\n"
      :
      : [to] "r"(here.values.data())
      : "x9", "x10", "memory");
  return here;
}

}  // namespace rec::agent::aarch64
