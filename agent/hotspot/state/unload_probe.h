// SPDX-License-Identifier: Apache-2.0
// UnloadProbe is told synchronously of each class that goes: a breakpoint on the VM's own probe point
// hotspot:class__unloaded (src/hotspot/share/services/classLoadingService.cpp), where the Klass is still whole.
//
//   nop at the probe -> int3 -> SIGTRAP in the VM's thread -> on_trap() -> the handlers -> on with the next instruction
//
// The third argument of the probe is the class's loader data, read from the Klass: its base register holds the Klass*,
// which is believed only if the displacement is that of Klass::_class_loader_data. The breakpoint stays for the life of
// the process.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

using OnUnload = void (*)(uint64_t klass);  // inside a signal handler

// Ordinary thread, once. False, and nothing has changed: this VM has no such probe, somebody else sits on it or on
// SIGTRAP (a debugger), or the code may not be written.
bool set_unload_probe(const Layout& layout, OnUnload on_unload);

}  // namespace rec::agent
