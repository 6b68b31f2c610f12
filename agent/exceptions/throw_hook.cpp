// SPDX-License-Identifier: Apache-2.0
#include "agent/exceptions/throw_hook.h"

#include "agent/hooks/listened_hook.h"

namespace rec::agent {
namespace {

using Fill = jobject(JNICALL*)(JNIEnv*, jobject throwable, jint unused);

constexpr char kThrowable[] = "java/lang/Throwable";

constinit ListenedHook<OnThrown> throw_hook(kThrowable, "fillInStackTrace", "(I)Ljava/lang/Throwable;");

jobject JNICALL fill_in(JNIEnv* jni, jobject throwable, jint unused) {
  const ListenedHook<OnThrown>::Call call(throw_hook);
  if (const OnThrown listener = call.listener(); listener != nullptr) listener(jni, throwable);
  return call.function<Fill>()(jni, throwable, unused);
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
  return throw_hook.install(jni, layout, reinterpret_cast<void*>(fill_in), on_thrown);
}

uint64_t ThrowHook::in_front(const Layout& layout) { return throw_hook.in_front(layout); }

bool ThrowHook::hears(JNIEnv* jni) {
  return throw_hook.hears([&] { throw_one(jni); });
}

void ThrowHook::remove(JNIEnv* jni, const Layout& layout) { throw_hook.remove(jni, layout); }

}  // namespace rec::agent
