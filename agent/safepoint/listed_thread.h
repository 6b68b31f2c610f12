// SPDX-License-Identifier: Apache-2.0
// ListedThread is a Java thread that an event will be about, after it may have ended.
#pragma once

#include <cstdint>
#include <string>

#include "agent/hotspot/vm/layout.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

struct ListedThread {
  ThreadRecord* record = nullptr;
  int32_t os_id = 0;
  int64_t java_id = 0;
  uint64_t java_thread = 0;
  std::string name;

  ListedThread() = default;
  ListedThread(const Layout& layout, ThreadRecord& of);  // under the registry's lock

  bool is_alive() const;  // the record stands for the same thread still
  // In the epoch given, which is pinned.
  Ref<ThreadFact> tag(const Layout& layout, Epoch& epoch, ThreadRegistry& threads) const;
};

}  // namespace rec::agent
