// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/thread_table.h"

#include <sys/mman.h>

namespace rec::agent::asgst {

bool ThreadTable::reserve() {
  void* memory = mmap(nullptr, size_t{kIds} * sizeof *rows_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  rows_ = static_cast<Row*>(memory);  // zero bytes are atomics that hold 0
  return true;
}

}  // namespace rec::agent::asgst
