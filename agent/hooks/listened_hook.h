// SPDX-License-Identifier: Apache-2.0
// ListenedHook is a NativeHook with somebody to tell: our function asks for the listener at each call, and tells nobody when there is none.
//
//   install(listener) --> our function is called, and tells --> remove() --> it may be called still, and only passes on
//
// One for each method, for the life of the process. Listener: a pointer to a function.
#pragma once

#include <jni.h>

#include <atomic>
#include <utility>

#include "agent/hooks/native_hook.h"
#include "agent/process/handler_local.h"

namespace rec::agent {

// The hook that the thread is in a call of, null for none. One for all hooks, as room for thread-locals is little; its address is the
// thread's own.
inline constinit REC_HANDLER_LOCAL const void* hook_inside = nullptr;

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
  uint64_t in_front(const Layout& layout) const { return hook_.in_front(layout); }
  // Whether a call of the method comes to us, whoever is in front. make_one: makes one, on this thread; nobody is told of it.
  template <typename MakeOne>
  bool hears(const MakeOne& make_one) const {
    awaited_by_.store(&hook_inside, std::memory_order_relaxed);  // and read by this thread
    make_one();
    return awaited_by_.exchange(nullptr, std::memory_order_relaxed) == nullptr;
  }
  void remove(JNIEnv* jni, const Layout& layout) {
    if (listener_.exchange(nullptr, std::memory_order_relaxed) != nullptr) hook_.remove(jni, layout);
  }

  // One call of our function, in its scope: whom to tell, null for nobody, and what to call. Where that calls us again, nobody is told
  // and the JDK's own function is called, so that it ends.
  class Call {
   public:
    explicit Call(const ListenedHook& hook)
        : hook_(hook),
          around_(std::exchange(hook_inside, &hook)),
          awaited_(hook.awaited_by_.load(std::memory_order_relaxed) == &hook_inside) {
      if (awaited_) hook.awaited_by_.store(nullptr, std::memory_order_relaxed);
    }
    ~Call() { hook_inside = around_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // acquire: pairs with the release in install().
    Listener listener() const {
      return is_again() || awaited_ ? nullptr : hook_.listener_.load(std::memory_order_acquire);
    }
    template <typename Function>
    Function function() const {
      return is_again() ? hook_.hook_.template own<Function>() : hook_.hook_.template original<Function>();
    }

   private:
    bool is_again() const { return around_ == &hook_; }

    const ListenedHook& hook_;
    const void* const around_;
    const bool awaited_;
  };

 private:
  NativeHook hook_;
  std::atomic<Listener> listener_{nullptr};
  mutable std::atomic<const void*> awaited_by_{nullptr};  // whose call is to come to us
};

}  // namespace rec::agent
