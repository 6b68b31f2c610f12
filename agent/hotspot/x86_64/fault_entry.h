// SPDX-License-Identifier: Apache-2.0
// How the fault handler begins (agent/hotspot/processor/fault_handler.cpp, which alone includes this): with three instructions
// that do nothing, by whose operands another copy of this library knows that it passes faults on. Signal-safe.
#pragma once

namespace rec::agent {

inline constexpr unsigned char kPassesOn[] = {0x0f, 0x1f, 0x80, 'r',  'e',  'c',  ':', 0x0f, 0x1f, 0x80, 'p',
                                              'a',  's',  's',  0x0f, 0x1f, 0x80, 'e', 's',  'o',  'n'};

#define REC_ONLY_ASM [[gnu::naked]]
#define REC_PASS_ON(meet) \
  asm("nopl 0x3a636572(%%rax)\n\tnopl 0x73736170(%%rax)\n\tnopl 0x6e6f7365(%%rax)\n\tjmp %P0" : : "i"(meet))

}  // namespace rec::agent
