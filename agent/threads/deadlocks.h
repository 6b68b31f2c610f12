// SPDX-License-Identifier: Apache-2.0
// Finds the cycles among threads that wait for each other. Pure: needs no JVM.
#pragma once

#include <span>
#include <vector>

#include "agent/threads/thread_dump.h"

namespace rec::agent {

// waits_for[i]: the thread that holds what thread i waits for; kNobody: none, or itself not waiting. Each cycle once,
// from its lowest index on.
std::vector<Deadlock> find_cycles(std::span<const uint32_t> waits_for);

}  // namespace rec::agent
