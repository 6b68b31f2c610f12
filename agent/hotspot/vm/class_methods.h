// SPDX-License-Identifier: Apache-2.0
// Methods of a class, by name. Ordinary threads; a class that somebody keeps alive.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// The first Method of that name; 0: there is none.
uint64_t find_method(const Layout& layout, uint64_t klass, const char* name);

// What a native method is bound to; 0: it is not bound, or the VM does not tell.
uint64_t park_function(const Layout& layout);  // Unsafe.park
uint64_t native_function(const Layout& layout, JNIEnv* jni, jclass mirror, const char* name);

}  // namespace rec::agent
