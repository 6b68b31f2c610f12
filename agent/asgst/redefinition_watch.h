// SPDX-License-Identifier: Apache-2.0
// RedefinitionWatch is told of each try to redefine or retransform a class, whoever's: all environments of JVMTI call
// the VM through one table of functions (JvmtiEnvBase has &jvmti_Interface for each, src/hotspot/share/prims/
// jvmtiEnvBase.cpp), java.lang.instrument's, a debugger's and JFR's own too. Two words of it are ours from the first
// start on, for good; they call what stood there before.
//
// JVMTI's event for this (ClassFileLoadHook) would have the VM read the file of every class of its archive that it loads
// from then on. Ordinary threads.
#pragma once

#include <jvmti.h>

namespace rec::agent::asgst {

// Of a class that may be redefined, before the VM looks at its new version; in the thread that redefines.
using OnRedefine = void (*)(jclass mirror);

// Once; again without effect. False: the table cannot be written.
bool start_redefinition_watch(jvmtiEnv* jvmti, OnRedefine on_redefine);

}  // namespace rec::agent::asgst
