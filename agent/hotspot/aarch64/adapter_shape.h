// SPDX-License-Identifier: Apache-2.0
// Adapters between compiled and interpreted code leave their caller's return address where it is: in the link register, but
// while they ask the VM to patch the call that led here. What moves is sp, to make room for the arguments; the caller's goes
// into x19 before that. AdapterReturn follows the code from an instruction to the adapter's end, and looks which of it is
// still to come (gen_i2c_adapter, gen_c2i_adapter: src/hotspot/cpu/aarch64/sharedRuntime_aarch64.cpp).
//
//   mov x19, sp   sub sp, sp, #n   ...   br
//
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent::aarch64 {

struct AdapterReturn {
  enum Place : uint8_t {
    kUnknown,
    kOnStack,    // `above` bytes above sp
    kAtSender,   // never
    kByFp,       // above x29, which is the adapter's: it asks the VM to patch the call
    kInRegister  // x30
  };
  Place place = kUnknown;
  uint64_t above = 0;
  uint64_t caller_above = kInSender;  // bytes from sp to the caller's sp, or that is in x19
  static constexpr uint64_t kInSender = ~0ull;
};

// At pc, in an adapter's code.
AdapterReturn return_in_adapter(uint64_t begin, uint64_t end, uint64_t pc);

}  // namespace rec::agent::aarch64
