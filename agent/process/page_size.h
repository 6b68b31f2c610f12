// SPDX-License-Identifier: Apache-2.0
// The size of a page: 4 kB on x86-64; 4, 16 or 64 kB on aarch64, as the kernel was built. Signal-safe, once the library is loaded.
#pragma once

#include <unistd.h>

#include <cstdint>

namespace rec::agent {

inline const uint64_t kPageBytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));

}  // namespace rec::agent
