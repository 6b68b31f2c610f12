// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/signal_context.h"

namespace rec::agent {

Registers registers_of(const ucontext_t& context) {
  const mcontext_t& from = context.uc_mcontext;
  Registers to;
  for (size_t i = 0; i < Registers::kSp; ++i) to.values[i] = from.regs[i];
  to[Registers::kSp] = from.sp;
  to[Registers::kPc] = from.pc;
  return to;
}

}  // namespace rec::agent
