// SPDX-License-Identifier: Apache-2.0
// JVMTI hands out lists of local references without asking for room. Under -Xcheck:jni the VM warns of them at the next
// call of JNI, as long as nobody has.
#pragma once

#include <jni.h>

namespace rec::agent {

// Right behind the JVMTI call that gave so many references; before any other call of JNI.
inline void expect_local_refs(JNIEnv* jni, jint count) {
  constexpr jint kOurOwn = 32;  // beside those
  if (jni->EnsureLocalCapacity(count + kOurOwn) != JNI_OK) jni->ExceptionClear();
}

}  // namespace rec::agent
