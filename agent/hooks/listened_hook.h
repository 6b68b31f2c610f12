// SPDX-License-Identifier: Apache-2.0
// ListenedHook is a NativeHook with somebody to tell: our function asks for the listener at each call, and tells nobody when there is none.
//
//   install(listener) --> our function is called, and tells --> remove() --> it may be called still, and only passes on
//
// One for each method, for the life of the process. Listener: a pointer to a function.
#pragma once

#include <jni.h>

#include <atomic>

#include "agent/hooks/native_hook.h"

namespace rec::agent {

template <typename Listener>
class ListenedHook {
 public:
  // As NativeHook's, and so are the others.
  constexpr ListenedHook(const char* klass, const char* name, const char* descriptor)
      : hook_(klass, name, descriptor) {}

  bool install(JNIEnv* jni, const Layout& layout, void* ours, Listener who) {
    // release: pairs with the acquire in listener(): what it needs is there. It comes before the hook.
    listener_.store(who, std::memory_order_release);
    const bool installed = hook_.install(jni, layout, ours);
    if (!installed) listener_.store(nullptr, std::memory_order_relaxed);
    return installed;
  }
  bool is_in_front(const Layout& layout) const { return hook_.is_in_front(layout); }
  void remove(JNIEnv* jni, const Layout& layout) {
    if (listener_.exchange(nullptr, std::memory_order_relaxed) != nullptr) hook_.remove(jni, layout);
  }

  // Of our function: null when nobody is to be told.
  // acquire: pairs with the release in install().
  Listener listener() const { return listener_.load(std::memory_order_acquire); }
  template <typename Function>
  Function original() const {
    return hook_.template original<Function>();
  }

 private:
  NativeHook hook_;
  std::atomic<Listener> listener_{nullptr};
};

}  // namespace rec::agent
