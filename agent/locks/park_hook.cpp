// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/park_hook.h"

#include "agent/hooks/java_call.h"
#include "agent/hooks/listened_hook.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

using Park = void(JNICALL*)(JNIEnv*, jobject unsafe, jboolean is_absolute, jlong time);

constinit ListenedHook<OnParked> the_hook("jdk/internal/misc/Unsafe", "park", "(ZJ)V");

void JNICALL park(JNIEnv* jni, jobject unsafe, jboolean is_absolute, jlong time) {
  const ListenedHook<OnParked>::Call call(the_hook);
  const OnParked listener = call.listener();
  const auto function = call.function<Park>();
  if (listener == nullptr) return function(jni, unsafe, is_absolute, time);
  const int64_t start = base::now_ticks();
  function(jni, unsafe, is_absolute, time);
  listener(jni, start, base::now_ticks() - start, is_absolute, time);
}

}  // namespace

bool ParkHook::install(JNIEnv* jni, const Layout& layout, OnParked on_parked) {
  return the_hook.install(jni, layout, reinterpret_cast<void*>(park), on_parked);
}

uint64_t ParkHook::in_front(const Layout& layout) { return the_hook.in_front(layout); }

bool ParkHook::hears(JNIEnv* jni) {
  return the_hook.hears([&] { call_with_long(jni, "java/util/concurrent/locks/LockSupport", "parkNanos", 1); });
}

void ParkHook::remove(JNIEnv* jni, const Layout& layout) { the_hook.remove(jni, layout); }

}  // namespace rec::agent
