// SPDX-License-Identifier: Apache-2.0
// SleepHook stands in front of the native method that Thread.sleep comes to (native_hook.h): sleep of milliseconds before
// 19, sleep0 of nanoseconds in 21, sleepNanos0 from 22 on. (src/java.base/share/classes/java/lang/Thread.java)
//
// Virtual threads do not come here: they park.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Of the thread that has slept, after it: in native code still, perhaps with an InterruptedException pending.
using OnSlept = void (*)(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, int64_t wanted_ns);

class SleepHook {
 public:
  // As NativeHook's.
  static bool install(JNIEnv* jni, const Layout& layout, OnSlept on_slept);
  static uint64_t in_front(const Layout& layout);
  // Whether a call of the method comes to us: makes one, of which nobody is told.
  static bool hears(JNIEnv* jni);
  static void remove(JNIEnv* jni, const Layout& layout);
};

}  // namespace rec::agent
