// SPDX-License-Identifier: Apache-2.0
// The safe load (safe_load.h) of many bytes, in a form that those who read for us may be given. Signal-safe.
#pragma once

#include <cstddef>

namespace rec::agent {

// Copies size bytes; false when a part of them cannot be read (the rest of `to` is then undefined).
bool safe_copy(void* to, const void* from, size_t size);

}  // namespace rec::agent
