// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/thread_allocation.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {

void ThreadAllocation::open() {
  const auto tables = VmTables::open();
  if (!tables) return;
  const auto at = [&](const char* type, const char* field) {
    return static_cast<uint32_t>(tables->offset(type, field).value_or(kAbsent));
  };
  allocated_ = at("Thread", "_allocated_bytes");
  const uint32_t buffer = at("Thread", "_tlab"), start = at("ThreadLocalAllocBuffer", "_start"),
                 top = at("ThreadLocalAllocBuffer", "_top"), end = at("ThreadLocalAllocBuffer", "_end");
  if (buffer == kAbsent || start == kAbsent || top == kAbsent || end == kAbsent) return;
  start_ = buffer + start, top_ = buffer + top, end_ = buffer + end;
}

int64_t ThreadAllocation::bytes(uint64_t java_thread) const {
  uint64_t allocated = 0;
  if (!load64(java_thread + allocated_, allocated)) return -1;
  if (start_ == kAbsent) return static_cast<int64_t>(allocated);
  const uint64_t start = u64_at(java_thread + start_), top = u64_at(java_thread + top_),
                 end = u64_at(java_thread + end_);
  if (start != 0 && start < top && top <= end) allocated += top - start;
  return static_cast<int64_t>(allocated);
}

}  // namespace rec::agent
