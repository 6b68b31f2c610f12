// SPDX-License-Identifier: Apache-2.0
#include "agent/exceptions/throw_hook.h"

#include <atomic>

#include "agent/hooks/native_hook.h"

namespace rec::agent {
namespace {

using Fill = jobject(JNICALL*)(JNIEnv*, jobject throwable, jint unused);

constexpr char kThrowable[] = "java/lang/Throwable";

constinit NativeHook throw_hook(kThrowable, "fillInStackTrace", "(I)Ljava/lang/Throwable;");
std::atomic<OnThrown> throw_listener{nullptr};

jobject JNICALL fill_in(JNIEnv* jni, jobject throwable, jint unused) {
  // acquire: pairs with the release in ThrowHook::install(): what the listener needs is there.
  const OnThrown listener = throw_listener.load(std::memory_order_acquire);
  if (listener != nullptr) listener(jni, throwable);
  return throw_hook.original<Fill>()(jni, throwable, unused);
}

// The VM looks for the JDK's function when the method is called first, which need not have been by now.
void throw_one(JNIEnv* jni) {
  const jclass klass = jni->FindClass(kThrowable);
  if (klass != nullptr) jni->ThrowNew(klass, nullptr);
  jni->ExceptionClear();
  if (klass != nullptr) jni->DeleteLocalRef(klass);
}

}  // namespace

bool ThrowHook::install(JNIEnv* jni, const Layout& layout, OnThrown on_thrown) {
  throw_one(jni);
  // release: pairs with the acquire in fill_in(), and comes before the hook.
  throw_listener.store(on_thrown, std::memory_order_release);
  const bool installed = throw_hook.install(jni, layout, reinterpret_cast<void*>(fill_in));
  if (!installed) throw_listener.store(nullptr, std::memory_order_relaxed);
  return installed;
}

bool ThrowHook::is_in_front(const Layout& layout) { return throw_hook.is_in_front(layout); }

void ThrowHook::remove(JNIEnv* jni, const Layout& layout) {
  if (throw_listener.exchange(nullptr, std::memory_order_relaxed) != nullptr) throw_hook.remove(jni, layout);
}

}  // namespace rec::agent
