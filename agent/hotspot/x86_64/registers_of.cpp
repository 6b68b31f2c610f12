// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/signal_context.h"

namespace rec::agent {

// In the order of their names.
Registers registers_of(const ucontext_t& context) {
  const auto at = [&](int from) { return static_cast<uint64_t>(context.uc_mcontext.gregs[from]); };
  return {{at(REG_RAX), at(REG_RDX), at(REG_RCX), at(REG_RBX), at(REG_RSI), at(REG_RDI), at(REG_RBP), at(REG_RSP),
           at(REG_R8), at(REG_R9), at(REG_R10), at(REG_R11), at(REG_R12), at(REG_R13), at(REG_R14), at(REG_R15),
           at(REG_RIP)}};
}

}  // namespace rec::agent
