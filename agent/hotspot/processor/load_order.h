// SPDX-License-Identifier: Apache-2.0
// The order of safe loads. Memory that another thread changes is believed when it says the same before and behind what was
// read by it; so the second look must come last. x86-64 loads in the order of the code, aarch64 as it likes. Signal-safe.
#pragma once

#include <atomic>

namespace rec::agent {

// All loads that stand before are done before those behind. Pairs with the order in which the VM, or whoever owns the memory,
// stores there: it says first that something will change, or last that it has.
inline void loads_until_here() { std::atomic_thread_fence(std::memory_order_acquire); }

}  // namespace rec::agent
