// SPDX-License-Identifier: Apache-2.0
// Adapters between compiled and interpreted code take their caller's return address off the stack, make room for the
// arguments, and put it back. AdapterReturn tells where it is at a given instruction. It follows the code from there to
// its end, where all adapters agree, and looks what is still done to the address: which word looks like one says
// nothing, since stale addresses do, too (gen_i2c_adapter, gen_c2i_adapter: src/hotspot/cpu/x86/sharedRuntime_x86_64.cpp).
//
//   compiled to interpreted   17   pop rax               mov r13, rsp   sub rsp, n      mov [rsp], rax   ...   jmp
//                             25   lea r13, [rsp + 8]    pop rax        sub rsp, n      push rax         ...   jmp
//   before it, perhaps             mov r13, rsp          ... (the call is patched)      mov rsp, r13
//   interpreted to compiled        mov rax, [rsp] or pop rax            and rsp, -16    push rax         ...   jmp
//
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent::x86_64 {

struct AdapterReturn {
  enum Place : uint8_t {
    kUnknown,
    kOnStack,    // `above` bytes above sp
    kAtSender,   // where r13 points to, and the caller's sp is behind it
    kByFp,       // above the frame that rbp is of
    kInRegister  // rax
  };
  Place place = kUnknown;
  uint64_t above = 0;
  uint64_t caller_above = kInSender;  // bytes from sp to the caller's sp, or that is in r13
  static constexpr uint64_t kInSender = ~0ull;
};

// At pc, in an adapter's code.
AdapterReturn return_in_adapter(uint64_t begin, uint64_t end, uint64_t pc);

}  // namespace rec::agent::x86_64
