// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/park_hook.h"

#include "agent/hooks/native_hook.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

using Park = void(JNICALL*)(JNIEnv*, jobject unsafe, jboolean is_absolute, jlong time);

constinit NativeHook the_hook("jdk/internal/misc/Unsafe", "park", "(ZJ)V");
std::atomic<OnParked> the_listener{nullptr};

void JNICALL park(JNIEnv* jni, jobject unsafe, jboolean is_absolute, jlong time) {
  // acquire: pairs with the release in install(): what the listener needs is there.
  const OnParked listener = the_listener.load(std::memory_order_acquire);
  const auto function = the_hook.original<Park>();
  if (listener == nullptr) return function(jni, unsafe, is_absolute, time);
  const int64_t start = base::now_ticks();
  function(jni, unsafe, is_absolute, time);
  listener(jni, start, base::now_ticks() - start, is_absolute, time);
}

}  // namespace

bool ParkHook::install(JNIEnv* jni, const Layout& layout, OnParked on_parked) {
  // release: pairs with the acquire in park(), and comes before the hook.
  the_listener.store(on_parked, std::memory_order_release);
  const bool installed = the_hook.install(jni, layout, reinterpret_cast<void*>(park));
  if (!installed) the_listener.store(nullptr, std::memory_order_relaxed);
  return installed;
}

bool ParkHook::is_in_front(const Layout& layout) { return the_hook.is_in_front(layout); }

void ParkHook::remove(JNIEnv* jni, const Layout& layout) {
  if (the_listener.exchange(nullptr, std::memory_order_relaxed) != nullptr) the_hook.remove(jni, layout);
}

}  // namespace rec::agent
