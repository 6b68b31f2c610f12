// SPDX-License-Identifier: Apache-2.0
// From a class as JNI knows it, its mirror, to the VM's Klass. Ordinary threads.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// By a local reference. 0: a primitive type, or the VM does not tell.
uint64_t klass_of_local(const Layout& layout, jclass local);

// By any reference.
uint64_t klass_of(const Layout& layout, JNIEnv* jni, jclass mirror);

}  // namespace rec::agent
