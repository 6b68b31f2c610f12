// SPDX-License-Identifier: Apache-2.0
// ThrowHook stands in front of the native method Throwable.fillInStackTrace(int) (native_hook.h), which each new Throwable
// calls from its constructor:
//
//   new X() -> X.<init> -> ... -> Throwable.<init> -> fillInStackTrace() -> fillInStackTrace(int) -> [we] -> the JDK's own
//
// To fill in a stack trace takes the VM a microsecond and more, and the hook some 20 ns of it.
#pragma once

#include <jni.h>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Of the thread that makes it, before its stack trace is filled in: in native code, and there is no message yet.
using OnThrown = void (*)(JNIEnv* jni, jobject throwable);

class ThrowHook {
 public:
  // As NativeHook's.
  static bool install(JNIEnv* jni, const Layout& layout, OnThrown on_thrown);
  static uint64_t in_front(const Layout& layout);
  // Whether a call of the method comes to us: makes one, of which nobody is told.
  static bool hears(JNIEnv* jni);
  static void remove(JNIEnv* jni, const Layout& layout);
};

}  // namespace rec::agent
