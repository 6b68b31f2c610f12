// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/thread_context.h"

#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kValidOffset = ThreadContext::kTraceBytes + ThreadContext::kSpanBytes;
constexpr uint8_t kValid = 1;

bool load_valid(uint64_t record, ThreadContext& to) {
  if (u8_at(record + kValidOffset) != kValid) return false;
  for (size_t i = 0; i < to.words.size(); ++i)
    if (!load64(record + i * 8, to.words[i])) return false;
  return true;
}

}  // namespace

// No trace, no span: ids of zeros say so.
bool read_thread_context(uint64_t variable, ThreadContext& to) {
  const uint64_t record = variable == 0 ? 0 : u64_at(variable);
  ThreadContext again;
  if (record == 0 || !load_valid(record, to) || (to.words[0] | to.words[1]) == 0 || to.words[2] == 0) return false;
  return load_valid(record, again) && again == to && u8_at(record + kValidOffset) == kValid &&
         u64_at(variable) == record;
}

}  // namespace rec::agent
