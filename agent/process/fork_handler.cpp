// SPDX-License-Identifier: Apache-2.0
#include "agent/process/fork_handler.h"

#include <dlfcn.h>

// glibc's, since 2.3.2; the last is a library whose end takes the handlers back. Null under musl.
extern "C" __attribute__((weak)) int __register_atfork(void (*)(), void (*)(), void (*)(), void*);

namespace rec::agent {

void call_in_forked_child(void (*function)()) {
  if (__register_atfork != nullptr) {
    __register_atfork(nullptr, nullptr, function, nullptr);
    return;
  }
  using AtFork = int (*)(void (*)(), void (*)(), void (*)());
  if (const auto at_fork = reinterpret_cast<AtFork>(dlsym(RTLD_DEFAULT, "pthread_atfork")))
    at_fork(nullptr, nullptr, function);
}

}  // namespace rec::agent
