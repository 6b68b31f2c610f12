// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/stub_names.h"

namespace rec::agent::asgst {

// Told twice, it is the same; where one holds others, the first of these begins where it does.
void StubNames::add(const char* name, uint64_t begin, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (name == nullptr || size == 0 || stubs_.size() >= kMost) return;
  Stub& stub = stubs_[begin];
  if (stub.end == 0 || begin + size < stub.end) stub = {begin + size, name};
}

std::string StubNames::find(uint64_t pc) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto next = stubs_.upper_bound(pc); next != stubs_.begin();) {
    --next;
    if (pc < next->second.end) return next->second.name;
  }
  return {};
}

}  // namespace rec::agent::asgst
