// SPDX-License-Identifier: Apache-2.0
// What the memory at an address allows at this moment. Other than /proc/self/maps, the answer is never an old one, and needs
// neither a file nor memory.
#pragma once

#include <cstdint>

namespace rec::agent {

enum class PageAccess : uint8_t { kWritable, kReadOnly, kUnknown };

// The kernel adds no bit to the word there, as an atomic operation of a futex (futex(2), FUTEX_WAKE_OP): EFAULT, where it
// may not be written, or is not there. kUnknown: a sandbox forbids to ask, or the word is not aligned to 4 bytes. Any thread.
PageAccess access_of(const void* word);

}  // namespace rec::agent
