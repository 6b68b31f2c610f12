// SPDX-License-Identifier: Apache-2.0
// A frame as a walk finds it, before it has a name. Signal-safe.
#pragma once

#include <cstdint>

#include "recorder/spool/facts.h"

namespace rec::agent {

// Of native code (FrameType::kCpp, kKernel) the method is which library, and the address in its file; of the VM's stubs
// where the name stands.
constexpr uint64_t native_method(uint16_t library, uint64_t address) { return uint64_t{library} << 48 | address; }
constexpr uint16_t native_library(uint64_t method) { return static_cast<uint16_t>(method >> 48); }
constexpr uint64_t native_address(uint64_t method) { return method & ((uint64_t{1} << 48) - 1); }

struct RawFrame {
  uint64_t method = 0;  // Method*, alive while its frame is on the stack
  int32_t bci = 0;      // -1: none (native methods)
  FrameType type = FrameType::kInterpreted;
  bool of_compilation = false;  // in a LastWalk: the method is the same for as long as the code is there
  uint8_t level = 0;            // of compiled code: its compiler's, 1 to 3 C1, 4 C2; 0: none, or not told
  friend bool operator==(const RawFrame& a, const RawFrame& b) {
    return a.method == b.method && a.bci == b.bci && a.type == b.type;
  }
};

}  // namespace rec::agent
