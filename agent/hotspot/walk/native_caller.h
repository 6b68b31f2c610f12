// SPDX-License-Identifier: Apache-2.0
// Who has called this library, as one of its functions that stand in front of others sees it: a hook before malloc, say.
// Our own frames are left, by their tables, until one is of somebody else. Where may_fault_here(). Signal-safe.
#pragma once

#include "agent/hotspot/processor/registers.h"
#include "agent/hotspot/walk/native_modules.h"

namespace rec::agent {

// here: of a frame of this library that is still there (registers_here.h). The caller's, behind its call; a pc of 0: it is
// not found.
Registers caller_of_library(const NativeModules& modules, const Registers& here);

}  // namespace rec::agent
