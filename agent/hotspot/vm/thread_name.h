// SPDX-License-Identifier: Apache-2.0
// Names of threads, read from the heap: their own at this moment, as UTF-8. What has no room is cut. Their size in bytes; 0:
// none, or it could not be proved. Signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Of the virtual thread with this id that the JavaThread carries.
size_t carried_thread_name(const Layout& layout, uint64_t java_thread, int64_t id, char* to, size_t room);

// Of the VirtualThread that lies at this address.
size_t virtual_thread_name(const Layout& layout, uint64_t thread, int64_t id, char* to, size_t room);

// Of the JavaThread's own Thread, which has this id, also while it carries another.
size_t own_thread_name(const Layout& layout, uint64_t java_thread, int64_t id, char* to, size_t room);

// Likewise, the reference to that name as it is written. Another one may be to the same name, which a collector has moved; the
// same one is to the same name until the next collection. 0: not known.
uint64_t own_name_reference(const Layout& layout, uint64_t java_thread);

}  // namespace rec::agent
