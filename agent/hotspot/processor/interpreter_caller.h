// SPDX-License-Identifier: Apache-2.0
// The caller of an interpreted method whose frame does not stand: what its entries and exits (interpreter_map.h) tell. Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

struct InterpreterCaller {
  uint64_t pc = 0;  // as it is found: with its signature, if it has one
  uint64_t sp = 0;
  uint64_t fp = 0;
  uint64_t above = 0;  // of an entry without a frame: what it has on the stack ends here
};

}  // namespace rec::agent
