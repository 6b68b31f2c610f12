// SPDX-License-Identifier: Apache-2.0
// Which virtual thread the calling thread runs as, for those who have no Java to ask. Ordinary threads, outside of the VM: in
// native code, whether Java knows the thread or not.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/sampling/vm_session.h"

namespace rec::agent {

// When the VM has been opened: before, nobody can tell.
void tell_span_threads(VmSession& session);

// 0: none. Nothing: it cannot be told; or it is a thread of Java that began while nothing was recorded, and could be a carrier.
std::optional<int64_t> calling_virtual_thread();

}  // namespace rec::agent
