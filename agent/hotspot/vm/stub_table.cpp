// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/stub_table.h"

#include <cassert>
#include <cstring>

namespace rec::agent {

void StubTable::add(uint64_t begin, uint64_t end, const char* name) {
  if (find(begin).begin == begin) return;
  const uint32_t index =
      count_.load(std::memory_order_relaxed) < kMaxStubs ? count_.fetch_add(1, std::memory_order_relaxed) : kMaxStubs;
  if (index >= kMaxStubs) return;
  assert(stubs_[index].begin.load(std::memory_order_relaxed) == 0 && "each index is handed out once");
  stubs_[index].end = end;
  stubs_[index].name = strdup(name);
  // release: pairs with the acquire in find(); the rest stands before the begin does.
  stubs_[index].begin.store(begin, std::memory_order_release);
}

StubTable::Range StubTable::find(uint64_t pc) const {
  const uint32_t count = count_.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count && i < kMaxStubs; ++i) {
    // acquire: pairs with the release in add(); 0: counted, and not written yet.
    const uint64_t begin = stubs_[i].begin.load(std::memory_order_acquire);
    if (begin != 0 && pc >= begin && pc < stubs_[i].end) return {begin, stubs_[i].end, stubs_[i].name};
  }
  return {};
}

}  // namespace rec::agent
