// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/park_hook.h"

#include <dlfcn.h>

#include "agent/hotspot/vm/class_methods.h"
#include "agent/locks/boot_caller.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

using Park = void(JNICALL*)(JNIEnv*, jobject unsafe, jboolean is_absolute, jlong time);

constexpr char kPark[] = "park";

std::atomic<Park> the_function{nullptr};  // the VM's; never null again once it was found
std::atomic<OnParked> the_listener{nullptr};

void JNICALL park(JNIEnv* jni, jobject unsafe, jboolean is_absolute, jlong time) {
  // acquire: pairs with the release in install(): what the listener needs is there.
  const OnParked listener = the_listener.load(std::memory_order_acquire);
  const Park function = the_function.load(std::memory_order_relaxed);
  if (listener == nullptr) return function(jni, unsafe, is_absolute, time);
  const int64_t start = base::now_ticks();
  function(jni, unsafe, is_absolute, time);
  listener(jni, start, base::now_ticks() - start, is_absolute, time);
}

// In the same library as the VM's other functions.
bool is_of_vm(uint64_t function) {
  Dl_info here{}, vm{};
  const void* const known = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
  return function != 0 && known != nullptr && dladdr(reinterpret_cast<const void*>(function), &here) != 0 &&
         dladdr(known, &vm) != 0 && here.dli_fbase == vm.dli_fbase;
}

jclass unsafe_class(JNIEnv* jni) {
  const jclass unsafe = jni->FindClass("jdk/internal/misc/Unsafe");
  if (unsafe == nullptr) jni->ExceptionClear();
  return unsafe;
}

bool bind(JNIEnv* jni, jclass unsafe, Park function) {
  const JNINativeMethod method{const_cast<char*>(kPark), const_cast<char*>("(ZJ)V"), reinterpret_cast<void*>(function)};
  return *bind_native(jni, unsafe, method) == '\0';
}

}  // namespace

bool ParkHook::install(JNIEnv* jni, const Layout& layout, OnParked on_parked) {
  const jclass unsafe = unsafe_class(jni);
  if (unsafe == nullptr) return false;
  const uint64_t bound = native_function(layout, jni, unsafe, kPark);
  const bool is_ours = bound == reinterpret_cast<uint64_t>(&park);  // somebody had come in front, and has gone
  const bool known = is_ours || is_of_vm(bound);
  if (known && !is_ours) the_function.store(reinterpret_cast<Park>(bound), std::memory_order_relaxed);
  // release: pairs with the acquire in park(), and comes before the hook.
  if (known) the_listener.store(on_parked, std::memory_order_release);
  const bool installed = known && (is_ours || bind(jni, unsafe, park));
  if (!installed) the_listener.store(nullptr, std::memory_order_relaxed);
  jni->DeleteLocalRef(unsafe);
  return installed;
}

bool ParkHook::is_in_front(const Layout& layout) {
  const uint64_t bound = park_function(layout);
  return bound == 0 || bound == reinterpret_cast<uint64_t>(&park);
}

void ParkHook::remove(JNIEnv* jni, const Layout& layout) {
  if (the_listener.exchange(nullptr, std::memory_order_relaxed) == nullptr || jni == nullptr) return;
  const jclass unsafe = unsafe_class(jni);
  if (unsafe == nullptr) return;
  if (native_function(layout, jni, unsafe, kPark) == reinterpret_cast<uint64_t>(&park))
    bind(jni, unsafe, the_function.load(std::memory_order_relaxed));
  jni->DeleteLocalRef(unsafe);
}

}  // namespace rec::agent
