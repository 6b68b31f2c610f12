// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/safe_copy.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

bool safe_copy(void* to, const void* from, size_t size) {
  uint32_t failed = 1;
  asm volatile("1: rep movsb\n movl $0, %[no]\n2:\n" REC_FAULT_ENTRY("2b")
               : "+D"(to), "+S"(from), "+c"(size), [no] "+&r"(failed)
               :
               : "memory");
  return failed == 0;
}

}  // namespace rec::agent
