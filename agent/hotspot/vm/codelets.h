// SPDX-License-Identifier: Apache-2.0
// The codelets of HotSpot's template interpreter (src/hotspot/share/interpreter/interpreter.hpp): pieces of code back
// to back, each with a header that has its size and says what it is. At start, one thread.
#pragma once

#include "agent/hotspot/processor/interpreter_map.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Shows the map all of them. False: none builds a frame as we know it.
bool read_codelets(const Layout& layout, InterpreterMap& map);

}  // namespace rec::agent
