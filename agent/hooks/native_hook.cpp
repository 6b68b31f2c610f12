// SPDX-License-Identifier: Apache-2.0
#include "agent/hooks/native_hook.h"

#include <dlfcn.h>

#include "agent/hooks/boot_caller.h"
#include "agent/hooks/own_native.h"
#include "agent/hotspot/vm/class_methods.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/process/seen_by_all.h"

namespace rec::agent {
namespace {

// Whether the function is in a library, which from here on is not unloaded: we are going to call it.
bool keeps_loaded(uint64_t function) {
  Dl_info here{};
  if (function == 0 || dladdr(reinterpret_cast<const void*>(function), &here) == 0 || here.dli_fname == nullptr)
    return false;
  return dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD) != nullptr;  // and never closed
}

}  // namespace

jclass NativeHook::find_class(JNIEnv* jni) const {
  const jclass klass = jni->FindClass(klass_name_);
  if (klass == nullptr) jni->ExceptionClear();
  return klass;
}

bool NativeHook::bind(JNIEnv* jni, jclass klass, void* function) const {
  const JNINativeMethod method{const_cast<char*>(name_), const_cast<char*>(descriptor_), function};
  return *bind_native(jni, klass, method) == '\0';
}

bool NativeHook::install(JNIEnv* jni, const Layout& layout, void* ours) {
  const jclass klass = find_class(jni);
  if (klass == nullptr) return false;
  ours_ = ours;
  klass_ = klass_of(layout, jni, klass);
  const uint64_t bound = native_function(layout, klass_, name_, descriptor_);
  const bool is_ours = bound == reinterpret_cast<uint64_t>(ours);  // somebody had come in front, and has gone
  const bool installed = is_ours || (stand_before(bound) && bind_ours(jni, layout, klass));
  jni->DeleteLocalRef(klass);
  return installed;
}

bool NativeHook::stand_before(uint64_t function) {
  if (!keeps_loaded(function)) return false;
  if (own_.load(std::memory_order_relaxed) == nullptr) {
    const uint64_t own = is_own_native(function) ? function : own_native(klass_name_, name_, descriptor_);
    if (own == 0) return false;
    own_.store(reinterpret_cast<void*>(own), std::memory_order_relaxed);
  }
  original_.store(reinterpret_cast<void*>(function), std::memory_order_relaxed);
  return true;
}

bool NativeHook::bind_ours(JNIEnv* jni, const Layout& layout, jclass klass) {
  seen_by_all_from_here();  // who comes to our function finds the other, and its listener
  if (!bind(jni, klass, ours_)) return false;
  // Who answered that with himself calls us now, and no longer what he had called: there is nobody behind us but the JDK.
  if (in_front(layout) == reinterpret_cast<uint64_t>(original_.load(std::memory_order_relaxed)))
    original_.store(own_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  return true;
}

uint64_t NativeHook::in_front(const Layout& layout) const {
  const uint64_t bound = native_function(layout, klass_, name_, descriptor_);
  return bound == reinterpret_cast<uint64_t>(ours_) ? 0 : bound;
}

void NativeHook::remove(JNIEnv* jni, const Layout& layout) {
  const jclass klass = jni == nullptr ? nullptr : find_class(jni);
  if (klass == nullptr) return;
  if (native_function(layout, klass_, name_, descriptor_) == reinterpret_cast<uint64_t>(ours_))
    bind(jni, klass, original_.load(std::memory_order_relaxed));
  // Who came after us may call us still.
  original_.store(own_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  jni->DeleteLocalRef(klass);
}

}  // namespace rec::agent
