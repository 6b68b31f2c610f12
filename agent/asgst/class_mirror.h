// SPDX-License-Identifier: Apache-2.0
// From a class as JNI knows it to the VM's Klass. Ordinary threads.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/asgst/session.h"

namespace rec::agent::asgst {

// 0: a primitive type, or the VM does not tell.
uint64_t klass_of(const Session& session, JNIEnv* jni, jclass mirror);

}  // namespace rec::agent::asgst
