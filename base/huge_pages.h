// SPDX-License-Identifier: Apache-2.0
// Large memory that is filled from one end to the other is had by the page: 4 KiB a time, and each a trap into the
// kernel. Where the system gives pages of 2 MiB to who asks for them (/sys/kernel/mm/transparent_hugepage/enabled is
// "madvise" or "always"), filling it takes up to a sixth less.
#pragma once

#include <cstddef>

namespace base {

// For memory that will be filled. What is too small for such pages, or cannot have them, stays as it is. Any thread.
void want_huge_pages(const void* begin, size_t bytes);

}  // namespace base
