// SPDX-License-Identifier: Apache-2.0
// ListedThread is a Java thread that an event will be about, after it may have ended.
#pragma once

#include <cstdint>
#include <string>

#include "agent/sampling/thread_registry.h"

namespace rec::agent {

struct ListedThread {
  ThreadRecord* record = nullptr;
  int32_t os_id = 0;
  int64_t java_id = 0;
  uint64_t java_thread = 0;
  std::string name;

  ListedThread() = default;
  explicit ListedThread(ThreadRecord& of);  // under the registry's lock

  bool is_alive() const;                                             // the record stands for the same thread still
  Ref<ThreadFact> tag(Epoch& epoch, ThreadRegistry& threads) const;  // in the epoch given, which is pinned
};

}  // namespace rec::agent
