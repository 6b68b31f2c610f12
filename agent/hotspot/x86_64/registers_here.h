// SPDX-License-Identifier: Apache-2.0
// The registers of the function that asks, as its callers need them: those that a call leaves alone. They are those of its
// frame for as long as it has not returned. Signal-safe.
#pragma once

#include "agent/hotspot/x86_64/registers.h"

namespace rec::agent::x86_64 {

[[gnu::always_inline]] inline Registers registers_here() {
  Registers here = Registers::only(0, 0);
  asm volatile(
      "leaq 0(%%rip), %%rax\n"
      "movq %%rax, %[pc]\n"
      "movq %%rsp, %[sp]\n"
      "movq %%rbp, %[fp]\n"
      "movq %%rbx, %[rbx]\n"
      "movq %%r12, %[r12]\n"
      "movq %%r13, %[r13]\n"
      "movq %%r14, %[r14]\n"
      "movq %%r15, %[r15]\n"
      : [pc] "=m"(here[Registers::kPc]), [sp] "=m"(here[Registers::kSp]), [fp] "=m"(here[Registers::kFp]),
        [rbx] "=m"(here[Registers::kRbx]), [r12] "=m"(here[Registers::kR12]), [r13] "=m"(here[Registers::kR13]),
        [r14] "=m"(here[Registers::kR14]), [r15] "=m"(here[Registers::kR15])
      :
      : "rax");
  return here;
}

}  // namespace rec::agent::x86_64
