// SPDX-License-Identifier: Apache-2.0
// EnterSpecial is what the code of jdk.internal.vm.Continuation.enterSpecial tells of continuations: HotSpot makes it by
// hand (gen_continuation_enter in src/hotspot/cpu/x86/sharedRuntime_x86_64.cpp), and each version in the same way:
//
//   mov rax, [r15 + thread_entry]      the entry of the continuation around this one
//   mov [rsp + parent], rax
//   mov [r15 + thread_entry], rsp      the new one lies at rsp
//   mov [rsp + continuation], rsi
//   mov [rsp + is_virtual], ecx
//   ...
//   test rdx, rdx                      does it go on, or begin?
//   jne thaw
//   ...
//   thaw: call cont_thaw
//   return_pc:                         where the first frame of a continuation returns to
//
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent::x86_64 {

struct EnterSpecial {
  uint32_t thread_entry = 0;         // bytes into a JavaThread: its ContinuationEntry
  uint32_t continuation = 0;         // bytes into that: the Continuation, an object's address
  uint32_t is_virtual = 0;           // u4, not 0: of a virtual thread
  uint64_t thaw = 0, return_pc = 0;  // addresses
};

// False: it is not as shown above.
bool read_enter_special(uint64_t begin, uint64_t end, EnterSpecial& read);

}  // namespace rec::agent::x86_64
