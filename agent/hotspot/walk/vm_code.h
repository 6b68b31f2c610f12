// SPDX-License-Identifier: Apache-2.0
// Opens the VM: tables, calibration, code. Ordinary thread that Java knows, live phase, once.
#pragma once

#include <jvmti.h>

#include <string>

#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent {

// Empty, or why this VM cannot be walked, as the rest of a sentence that begins with "this VM".
std::string open_vm_code(VmCode& vm, JNIEnv* jni);

// DynamicCodeGenerated tells of a stub.
void add_stub(VmCode& vm, const char* name, const void* address, jint size);

// Makes the compilers note which code belongs to which inlined method everywhere, and not at safepoints only
// (-XX:+DebugNonSafepoints). Works until the first method is compiled; harmless later. False when the flag is not
// there.
bool enable_debug_non_safepoints();

}  // namespace rec::agent
