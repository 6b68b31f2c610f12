// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/known_threads.h"

namespace rec::agent {

KnownThread& KnownThreads::of(uint64_t java_thread, int32_t os_id, int64_t java_id) {
  KnownThread& known = known_[java_thread];
  if (known.os_id != os_id || known.java_id != java_id) known = {.os_id = os_id, .java_id = java_id};
  known.dump = dump_;
  return known;
}

void KnownThreads::end() {
  std::erase_if(known_, [this](const auto& entry) { return entry.second.dump != dump_; });
}

}  // namespace rec::agent
