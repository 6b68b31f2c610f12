// SPDX-License-Identifier: Apache-2.0
// How the fault handler begins (agent/hotspot/processor/fault_handler.cpp, which alone includes this): with six instructions
// that do nothing (movz xzr, ...), by whose operands another copy of this library knows that it passes faults on. Signal-safe.
#pragma once

namespace rec::agent {

// Each half word stands in bits 5 to 20.
#define REC_NOTHING(half) 0x1f | ((half)&7) << 5, (half) >> 3 & 0xff, 0x80 | ((half) >> 11 & 0x1f), 0xd2
inline constexpr unsigned char kPassesOn[] = {REC_NOTHING(0x6572), REC_NOTHING(0x3a63), REC_NOTHING(0x6170),
                                              REC_NOTHING(0x7373), REC_NOTHING(0x7365), REC_NOTHING(0x6e6f)};
#undef REC_NOTHING

// GCC has no naked functions here; of one that holds nothing else it makes the same where it optimises.
#if defined(__clang__)
#define REC_ONLY_ASM [[gnu::naked]]
#else
#define REC_ONLY_ASM [[gnu::noinline]]
#endif
#define REC_PASS_ON(meet)                                                   \
  asm("movz xzr, #0x6572\n\tmovz xzr, #0x3a63\n\tmovz xzr, #0x6170\n\t"     \
      "movz xzr, #0x7373\n\tmovz xzr, #0x7365\n\tmovz xzr, #0x6e6f\n\tb %0" \
      :                                                                     \
      : "S"(meet))

}  // namespace rec::agent
