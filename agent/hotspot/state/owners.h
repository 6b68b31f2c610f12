// SPDX-License-Identifier: Apache-2.0
// Owners finds the thread behind what the VM keeps of a monitor's owner (ObjectMonitor::_owner), which differs by
// version and by how the monitor was locked:
//
//   1                    locked on its owner's lock stack: whose lock stack holds the object (JDK 21 on)
//   an id                of the Java thread, virtual or not (JDK 24 on)
//   a JavaThread*        before that
//   a stack address      of the owner's own record of the lock, before that
//
// Indexes are those of the threads it was made of. All reads are safe loads.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/hotspot/state/waiting.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

struct Owner {
  uint64_t java_thread = 0;  // JavaThread*
  int64_t id = 0;            // of the thread that it runs as
};

class Owners {
 public:
  Owners(const Layout& layout, std::vector<Owner> all);

  // object: what is locked. Nothing: it is not known.
  std::optional<uint32_t> find(const OwnerWord& owner, uint64_t object) const;

 private:
  std::optional<uint32_t> by_lock_stack(uint64_t object) const;
  std::optional<uint32_t> by_stack(uint64_t address) const;

  const Layout& layout_;
  const std::vector<Owner> all_;
  std::unordered_map<uint64_t, uint32_t> by_thread_, by_id_;
  std::vector<std::pair<uint64_t, uint32_t>> by_base_;  // of the stack, ascending
};

}  // namespace rec::agent
