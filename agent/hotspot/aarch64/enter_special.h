// SPDX-License-Identifier: Apache-2.0
// EnterSpecial is what the code of jdk.internal.vm.Continuation.enterSpecial tells of continuations: HotSpot makes it by
// hand (gen_continuation_enter in src/hotspot/cpu/aarch64/sharedRuntime_aarch64.cpp), and each version in the same way:
//
//   ldr x8, [x28, #thread_entry]       the entry of the continuation around this one
//   str x8, [sp, #parent]
//   mov x8, sp                         the new one lies at sp
//   str x8, [x28, #thread_entry]
//   ...
//   str x1, [sp, #continuation]
//   str w3, [sp, #is_virtual]
//   ...
//   cbnz x2, thaw                      does it go on, or begin?
//   ...
//   thaw: bl cont_thaw                 or through a register
//   return_pc:                         where the first frame of a continuation returns to
//
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent::aarch64 {

struct EnterSpecial {
  uint32_t thread_entry = 0;         // bytes into a JavaThread: its ContinuationEntry
  uint32_t continuation = 0;         // bytes into that: the Continuation, an object's address
  uint32_t is_virtual = 0;           // u4, not 0: of a virtual thread
  uint64_t thaw = 0, return_pc = 0;  // addresses; thaw: 0 where it is called through a register
};

// False: it is not as shown above.
bool read_enter_special(uint64_t begin, uint64_t end, EnterSpecial& read);

}  // namespace rec::agent::aarch64
