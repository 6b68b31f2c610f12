// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/signal_context.h"

namespace rec::agent {

Registers registers_of(const ucontext_t& context) {
  const auto& from = context.uc_mcontext.gregs;
  Registers to;
  constexpr int kOrder[Registers::kCount] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                             REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                             REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int i = 0; i < Registers::kCount; ++i)
    to.values[static_cast<size_t>(i)] = static_cast<uint64_t>(from[kOrder[i]]);
  return to;
}

}  // namespace rec::agent
