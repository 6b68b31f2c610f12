// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_caller.h"

#include "agent/hotspot/walk/native_unwind.h"

namespace rec::agent {

Registers caller_of_library(const NativeModules& modules, const Registers& here) {
  constexpr int kMostOwn = 32;  // frames, from a hook to who walks
  NativeModule own;
  if (!modules.find(reinterpret_cast<uint64_t>(&caller_of_library), own)) return {};
  Registers registers = here;
  const ModuleCursor cursor(modules);
  for (int i = 0; i < kMostOwn && unwind_native(cursor, registers, i == 0); ++i)
    if (registers.pc() < own.low || registers.pc() >= own.high) return registers;
  return {};
}

}  // namespace rec::agent
