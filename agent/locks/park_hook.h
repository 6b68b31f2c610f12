// SPDX-License-Identifier: Apache-2.0
// ParkHook stands in front of the native method Unsafe.park, through which all of java.util.concurrent waits
// (native_hook.h).
//
//   LockSupport.park(blocker) -> Unsafe.park -> [we look at the clock] -> the VM's own function -> [once more]
//
// Why not otherwise: who looks at threads from outside, by the VM's memory, sees parks at the times when it looks and not
// their lengths; the VM's probes (USDT) would cost two traps a park; Java's bytecodes are left alone. A park is some
// 5 us at least, and the hook some 30 ns of it.
//
// Virtual threads do not come here, unless they are pinned: theirs is VirtualThread.park.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Of the thread that has parked, after it: in native code still. time as Unsafe.park has it.
using OnParked = void (*)(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, bool is_absolute, int64_t time);

class ParkHook {
 public:
  // Ordinary threads that Java knows, in the live phase, one at a time. False: the VM does not tell what the method is
  // bound to, or that is in no library.
  static bool install(JNIEnv* jni, const Layout& layout, OnParked on_parked);
  // What the method is bound to in place of us; 0: to us, or it cannot be told. Any ordinary thread.
  static uint64_t in_front(const Layout& layout);
  // Whether a call of the method comes to us: makes one, of which nobody is told.
  static bool hears(JNIEnv* jni);
  // Nothing is called any more. If somebody has come in front of us meanwhile, we stay behind him, and pass on.
  static void remove(JNIEnv* jni, const Layout& layout);
};

}  // namespace rec::agent
