// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/thread_context.h"

#include "agent/hotspot/processor/load_order.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kValidOffset = ThreadContext::kTraceBytes + ThreadContext::kSpanBytes;
constexpr uint64_t kAttributesSizeOffset = 26, kAttributesOffset = 28;
constexpr uint8_t kValid = 1;
constexpr uint64_t kStir = 0x9E3779B97F4A7C15u;

bool load_valid(uint64_t record, ThreadContext& to) {
  if (u8_at(record + kValidOffset) != kValid) return false;
  loads_until_here();
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
  loads_until_here();
  if (!load_valid(record, again) || !(again == to)) return false;
  loads_until_here();
  return u8_at(record + kValidOffset) == kValid && u64_at(variable) == record;
}

uint64_t thread_context_record(uint64_t variable) {
  const uint64_t record = variable == 0 ? 0 : u64_at(variable);
  return record != 0 && u8_at(record + kValidOffset) == kValid ? record : 0;
}

// FNV-1a by words, stirred.
bool read_thread_attributes(uint64_t record, uint16_t most, uint64_t seed, ThreadAttributes& to) {
  const uint16_t told = record == 0 ? 0 : u16_at(record + kAttributesSizeOffset);
  const uint64_t begin = record + kAttributesOffset;
  to = {reinterpret_cast<const char*>(begin), told < most ? told : most, seed ^ uint64_t{told} << 48};
  uint64_t at = begin;
  const uint64_t end = begin + to.size;
  for (uint64_t word = 0; at + 8 <= end; at += 8) {
    if (!load64(at, word)) return false;
    to.hash = (to.hash ^ word) * kStir;
    to.hash ^= to.hash >> 32;
  }
  for (; at < end; ++at) to.hash = (to.hash ^ u8_at(at)) * kStir;
  to.hash ^= to.hash >> 29;
  return told != 0;
}

bool read_process_context(uint64_t from, std::span<uint8_t> to) {
  return safe_copy(to.data(), reinterpret_cast<const void*>(from), to.size());
}

}  // namespace rec::agent
