// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/sleep_hook.h"

#include <algorithm>

#include "agent/hooks/java_call.h"
#include "agent/hooks/listened_hook.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

using Sleep = void(JNICALL*)(JNIEnv*, jclass thread, jlong time);

constexpr char kSleeper[] = "java/lang/Thread";
constexpr char kOfLong[] = "(J)V";
constexpr int64_t kMillisecondNs = 1'000'000;

using Hook = ListenedHook<OnSlept>;
constinit Hook of_nanos(kSleeper, "sleepNanos0", kOfLong);
constinit Hook of_nanos_21(kSleeper, "sleep0", kOfLong);
constinit Hook of_millis(kSleeper, "sleep", kOfLong);
Hook* installed_hook = nullptr;  // of who installs and removes

void sleep_through(const Hook& hook, JNIEnv* jni, jclass thread, jlong time, int64_t unit_ns) {
  const Hook::Call call(hook);
  const OnSlept listener = call.listener();
  const int64_t start = base::now_ticks();
  call.function<Sleep>()(jni, thread, time);
  if (listener != nullptr)
    listener(jni, start, base::now_ticks() - start, std::clamp<int64_t>(time, 0, INT64_MAX / unit_ns) * unit_ns);
}

void JNICALL sleep_nanos(JNIEnv* jni, jclass thread, jlong ns) { sleep_through(of_nanos, jni, thread, ns, 1); }
void JNICALL sleep_nanos_21(JNIEnv* jni, jclass thread, jlong ns) { sleep_through(of_nanos_21, jni, thread, ns, 1); }
void JNICALL sleep_millis(JNIEnv* jni, jclass thread, jlong ms) {
  sleep_through(of_millis, jni, thread, ms, kMillisecondNs);
}

}  // namespace

bool SleepHook::install(JNIEnv* jni, const Layout& layout, OnSlept on_slept) {
  struct Choice {
    Hook& hook;
    Sleep function;
  };
  for (const Choice& each : {Choice{of_nanos, sleep_nanos}, {of_nanos_21, sleep_nanos_21}, {of_millis, sleep_millis}}) {
    if (!each.hook.install(jni, layout, reinterpret_cast<void*>(each.function), on_slept)) continue;
    installed_hook = &each.hook;
    return true;
  }
  return false;
}

uint64_t SleepHook::in_front(const Layout& layout) {
  return installed_hook == nullptr ? 0 : installed_hook->in_front(layout);
}

bool SleepHook::hears(JNIEnv* jni) {
  return installed_hook != nullptr && installed_hook->hears([&] { call_with_long(jni, kSleeper, "sleep", 1); });
}

void SleepHook::remove(JNIEnv* jni, const Layout& layout) {
  if (installed_hook != nullptr) installed_hook->remove(jni, layout);
}

}  // namespace rec::agent
