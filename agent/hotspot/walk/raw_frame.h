// SPDX-License-Identifier: Apache-2.0
// A Java frame as a walk finds it, before it has a name. Signal-safe.
#pragma once

#include <cstdint>

#include "recorder/spool/facts.h"

namespace rec::agent {

struct RawFrame {
  uint64_t method = 0;  // Method*, alive while its frame is on the stack
  int32_t bci = 0;      // -1: none (native methods)
  FrameType type = FrameType::kInterpreted;
  bool of_compilation = false;  // in a LastWalk: the method is the same for as long as the code is there
  friend bool operator==(const RawFrame& a, const RawFrame& b) {
    return a.method == b.method && a.bci == b.bci && a.type == b.type;
  }
};

}  // namespace rec::agent
