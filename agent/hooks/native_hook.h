// SPDX-License-Identifier: Apache-2.0
// NativeHook stands in front of a native method of the JDK: by JNI's RegisterNatives (boot_caller.h), so that no bytecode
// is changed. What the method was bound to is called by our function, and is bound again at the end.
//
//   Java -> the method -> [our function: before, original(), after]
//
//   not there -- install() --> in front -- remove() --> not there
//                              in front -- somebody comes in front of us; we pass on, and remove() leaves it so;
//                                          install() again comes in front of him
//
// Who came in front of us may call us as what he has found there, and who asks for JVMTI's NativeMethodBind stands in front of whatever
// is bound, and calls that. So whoever calls us from within original() is passed on to own(), the JDK's function (own_native.h).
//
// One for each method, for the life of the process, since a thread may be inside our function at any time.
#pragma once

#include <jni.h>

#include <atomic>
#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class NativeHook {
 public:
  // klass: of the boot loader, "java/lang/Throwable".
  constexpr NativeHook(const char* klass, const char* name, const char* descriptor)
      : klass_name_(klass), name_(name), descriptor_(descriptor) {}

  // Ordinary threads that Java knows, in the live phase, one at a time. ours: a function of the method's type; always the
  // same. False: there is no such method, the VM does not tell what it is bound to, that is in no library which could be kept
  // loaded, or the JDK's own is not found behind it. The method must have been called or registered before.
  bool install(JNIEnv* jni, const Layout& layout, void* ours);
  // What the method is bound to in place of us; 0: to us, or it cannot be told. Any ordinary thread.
  uint64_t in_front(const Layout& layout) const;
  // jni: null while the VM ends; then it stays, and passes on.
  void remove(JNIEnv* jni, const Layout& layout);

  // What our function calls: set before it is first called, and never null again.
  template <typename Function>
  Function original() const {
    return reinterpret_cast<Function>(original_.load(std::memory_order_relaxed));
  }
  template <typename Function>
  Function own() const {
    return reinterpret_cast<Function>(own_.load(std::memory_order_relaxed));
  }

 private:
  bool stand_before(uint64_t function);
  bool bind_ours(JNIEnv* jni, const Layout& layout, jclass klass);
  jclass find_class(JNIEnv* jni) const;
  bool bind(JNIEnv* jni, jclass klass, void* function) const;

  const char *const klass_name_, *const name_, *const descriptor_;
  void* ours_ = nullptr;  // and the rest: of who installs and removes
  uint64_t klass_ = 0;
  std::atomic<void*> original_{nullptr}, own_{nullptr};
};

}  // namespace rec::agent
