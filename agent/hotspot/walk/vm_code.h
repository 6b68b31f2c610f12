// SPDX-License-Identifier: Apache-2.0
// Opens the VM: tables, calibration, code. Ordinary thread that Java knows, live phase, once.
#pragma once

#include <jvmti.h>

#include <string>

#include "agent/hotspot/walk/stack_walker.h"
#include "recorder/spool/facts.h"

namespace rec::agent {

// Empty, or why this VM cannot be walked, as the rest of a sentence that begins with "this VM".
std::string open_vm_code(VmCode& vm, JNIEnv* jni);

// DynamicCodeGenerated tells of a stub.
void add_stub(VmCode& vm, const char* name, const void* address, jint size);
// Signal-safe. Where the name of the code at pc stands, which is no method's: as JVMTI has told it, else the blob's own.
uint64_t stub_name(const VmCode& vm, const CodeBlob& blob, uint64_t pc);
// Its text, as far as it can be read and printed.
TextView stub_text(uint64_t name);
TextView stub_text_at(const VmCode& vm, uint64_t pc);  // empty: no such code is there

// Makes the compilers note which code belongs to which inlined method everywhere, and not at safepoints only
// (-XX:+DebugNonSafepoints). Works until the first method is compiled; harmless later. False when the flag is not
// there.
bool enable_debug_non_safepoints();

}  // namespace rec::agent
