// SPDX-License-Identifier: Apache-2.0
// Calls a static method of the JDK that takes a long, as Java code would. Ordinary threads that Java knows; what it throws is dropped.
#pragma once

#include <jni.h>

namespace rec::agent {

inline void call_with_long(JNIEnv* jni, const char* klass_name, const char* method_name, jlong argument) {
  const jclass klass = jni->FindClass(klass_name);
  const jmethodID method = klass == nullptr ? nullptr : jni->GetStaticMethodID(klass, method_name, "(J)V");
  if (method != nullptr) jni->CallStaticVoidMethod(klass, method, argument);
  jni->ExceptionClear();
  if (klass != nullptr) jni->DeleteLocalRef(klass);
}

}  // namespace rec::agent
