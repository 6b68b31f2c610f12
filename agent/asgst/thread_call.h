// SPDX-License-Identifier: Apache-2.0
// ThreadCall has another thread run a function inside a signal handler, and waits for it. The signal is a real-time one
// that nobody handles; it stays ours for the life of the process.
//
//   [idle] --caller, with the lock--> [asked] --handler of that thread--> [running] --> [done] --caller--> [idle]
//                                        |
//                                        +--caller, out of patience--> [idle]   a signal that comes late finds nothing
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace rec::agent::asgst {

using ThreadFunction = void (*)(void* arg, const ucontext_t& context);

enum class Called : uint8_t { kDone, kNoThread, kTimeout, kNoSignal, kDeaf };

// Ordinary threads. One call at a time; others wait for theirs no longer than timeout_ms.
Called call_in_thread(int32_t os_id, ThreadFunction function, void* arg, int timeout_ms);

}  // namespace rec::agent::asgst
