// SPDX-License-Identifier: Apache-2.0
// BootCaller binds native methods of the JDK's own classes without the VM's line "Re-registering of platform native
// method ... from code in a different classloader", which it writes on stdout unless the caller is a class of the same
// loader (jni_RegisterNatives, src/hotspot/share/prims/jni.cpp). So a class of ours is defined in the boot loader, once,
// and calls us, and we bind:
//
//   package rec.agent;
//   public final class Binder {
//     public static native void bind();
//     public static void run() { bind(); }
//   }
//
// Ordinary threads that Java knows, one at a time.
#pragma once

#include <jni.h>

namespace rec::agent {

// Empty, or why not. klass: of the boot loader.
const char* bind_native(JNIEnv* jni, jclass klass, const JNINativeMethod& method);

}  // namespace rec::agent
