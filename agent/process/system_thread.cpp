// SPDX-License-Identifier: Apache-2.0
#include "agent/process/system_thread.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

namespace rec::agent {

int32_t own_thread_id() { return static_cast<int32_t>(syscall(SYS_gettid)); }

SystemName SystemName::own() {
  SystemName name;
  prctl(PR_GET_NAME, name.bytes_.data(), 0, 0, 0);
  return name;
}

size_t SystemName::size() const { return strnlen(bytes_.data(), bytes_.size()); }

}  // namespace rec::agent
