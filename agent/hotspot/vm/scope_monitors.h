// SPDX-License-Identifier: Apache-2.0
// The monitors that a compiled method holds at one of its calls, as HotSpot's debug information has them (MonitorValue,
// src/hotspot/share/code/debugInfo.cpp; Location, src/hotspot/share/code/location.hpp). Ordinary threads: it allocates.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

struct ScopeMonitor {
  // Where the reference to the object is. kReplaced: nowhere, the object itself was optimised away.
  enum class Where : uint8_t { kStack, kRegister, kConstant, kReplaced };
  Where where = Where::kReplaced;
  uint32_t at = 0;      // kStack: bytes above sp; kRegister: HotSpot's number of it; kConstant: index of an oop, from 1
  bool narrow = false;  // a compressed reference
  bool eliminated = false;  // the compiler proved that nobody else can want it
};

// Of the scope that is described at this address; scopes: where the descriptions of the method begin. Those locked first
// come first. Ends early at what it cannot read.
std::vector<ScopeMonitor> read_scope_monitors(const Layout& layout, uint64_t scopes, uint64_t description);

}  // namespace rec::agent
