// SPDX-License-Identifier: Apache-2.0
// A class of the boot loader by its name, java/lang/Thread or [B, loaded and not initialised. Null, or an exception: there
// is none. Ordinary threads that Java knows, in the live phase.
#pragma once

#include <jni.h>

namespace rec::agent {

jclass find_boot_class(JNIEnv* jni, const char* name);

}  // namespace rec::agent
