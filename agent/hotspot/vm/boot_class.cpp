// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/boot_class.h"

#include <dlfcn.h>

namespace rec::agent {

// By the function that the class library's own native code has for it (src/hotspot/share/include/jvm.h).
jclass find_boot_class(JNIEnv* jni, const char* name) {
  using Find = jclass (*)(JNIEnv*, const char*);
  static const auto find = reinterpret_cast<Find>(dlsym(RTLD_DEFAULT, "JVM_FindClassFromBootLoader"));
  return find != nullptr ? find(jni, name) : jni->FindClass(name);
}

}  // namespace rec::agent
