// SPDX-License-Identifier: Apache-2.0
// Methods of a class, by name. Ordinary threads; a class that somebody keeps alive.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// The first Method of that name, and of that descriptor unless it is null; 0: there is none.
uint64_t find_method(const Layout& layout, uint64_t klass, const char* name, const char* descriptor = nullptr);

// What a native method is bound to; 0: it is not bound, or the VM does not tell.
uint64_t native_function(const Layout& layout, uint64_t klass, const char* name, const char* descriptor);

}  // namespace rec::agent
