// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/kept_memory.h"

#include <malloc.h>

namespace jrec {

void keep_freed_memory() {
#ifdef __GLIBC__  // others have no such limits
  constexpr int kMegabyte = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
  ::mallopt(M_TRIM_THRESHOLD, 256 * kMegabyte);
  ::mallopt(M_TOP_PAD, kMegabyte);
#endif
}

}  // namespace jrec
