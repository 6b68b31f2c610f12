// SPDX-License-Identifier: Apache-2.0
// UnloadProbe is told synchronously of each class that goes: a trap (trap.h) on the VM's own probe point
// hotspot:class__unloaded (src/hotspot/share/services/classLoadingService.cpp), where the Klass is still whole.
//
//   nop at the probe -> hlt -> the fault handler, in the VM's thread -> the handlers -> on with the next instruction
//
// The third argument of the probe is the class's loader data, read from the Klass: its base register holds the Klass*,
// which is believed only if the displacement is that of Klass::_class_loader_data. The trap stays for the life of the
// process.
#pragma once

#include <string>

#include "agent/hotspot/processor/trap.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

using OnUnload = OnTrap;  // is given the Klass*

// Ordinary thread, once. Empty: done. Else nothing has changed, and why, as the rest of a sentence that begins with
// "this VM".
std::string set_unload_probe(const Layout& layout, OnUnload on_unload);

}  // namespace rec::agent
