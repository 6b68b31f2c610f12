// SPDX-License-Identifier: Apache-2.0
#include "agent/hooks/native_hook.h"

#include <dlfcn.h>

#include <string_view>

#include "agent/hooks/boot_caller.h"
#include "agent/hotspot/vm/class_methods.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/process/seen_by_all.h"

namespace rec::agent {
namespace {

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

// In the VM's own library, or, under the name that JNI gives it, in one beside it: lib/server/libjvm.so, lib/libjava.so.
bool is_of_jdk(uint64_t function) {
  Dl_info here{}, vm{};
  const void* const known = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
  if (function == 0 || known == nullptr || dladdr(known, &vm) == 0 || vm.dli_fname == nullptr) return false;
  if (dladdr(reinterpret_cast<const void*>(function), &here) == 0 || here.dli_fname == nullptr) return false;
  if (here.dli_fbase == vm.dli_fbase) return true;
  const bool named = here.dli_sname != nullptr && std::string_view(here.dli_sname).substr(0, 5) == "Java_";
  return named && folder_of(here.dli_fname) == folder_of(folder_of(vm.dli_fname));
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
  const bool known = is_ours || is_of_jdk(bound);
  if (known && !is_ours) original_.store(reinterpret_cast<void*>(bound), std::memory_order_relaxed);
  if (known) seen_by_all_from_here();  // who comes to our function finds the other, and its listener
  const bool installed = known && (is_ours || bind(jni, klass, ours));
  jni->DeleteLocalRef(klass);
  return installed;
}

bool NativeHook::is_in_front(const Layout& layout) const {
  const uint64_t bound = native_function(layout, klass_, name_, descriptor_);
  return bound == 0 || bound == reinterpret_cast<uint64_t>(ours_);
}

void NativeHook::remove(JNIEnv* jni, const Layout& layout) {
  const jclass klass = jni == nullptr ? nullptr : find_class(jni);
  if (klass == nullptr) return;
  if (native_function(layout, klass_, name_, descriptor_) == reinterpret_cast<uint64_t>(ours_))
    bind(jni, klass, original_.load(std::memory_order_relaxed));
  jni->DeleteLocalRef(klass);
}

}  // namespace rec::agent
