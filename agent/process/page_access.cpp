// SPDX-License-Identifier: Apache-2.0
#include "agent/process/page_access.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rec::agent {

PageAccess access_of(const void* word) {
  constexpr unsigned kAddNoBit = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_LT, 0);
  constexpr long kWakeNobody = 0;
  uint32_t nobody_waits_here = 0;
  const long done = syscall(SYS_futex, &nobody_waits_here, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, kWakeNobody, kWakeNobody,
                            word, kAddNoBit);
  if (done >= 0) return PageAccess::kWritable;
  return errno == EFAULT ? PageAccess::kReadOnly : PageAccess::kUnknown;
}

}  // namespace rec::agent
