// SPDX-License-Identifier: Apache-2.0
// What is called in a forked child before fork() returns there. Under every libc: pthread_atfork() itself is a part of the
// program or library that calls it in older glibcs, and calls what musl has not.
#pragma once

namespace rec::agent {

// Ordinary threads. Nothing is called in the parent. Never taken back: this library stays loaded.
void call_in_forked_child(void (*function)());

}  // namespace rec::agent
