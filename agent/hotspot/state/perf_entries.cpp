// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/perf_entries.h"

#include <cstring>
#include <string_view>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMaxEntries = 4096;
constexpr size_t kMaxCounterName = 64;

// PerfDataEntry, as its own fields in the tables say.
struct EntryLayout {
  uint64_t length, name, data;
  bool load(const VmTables& tables) {
    const auto length_at = tables.offset("PerfDataEntry", "entry_length");
    const auto name_at = tables.offset("PerfDataEntry", "name_offset");
    const auto data_at = tables.offset("PerfDataEntry", "data_offset");
    if (!length_at || !name_at || !data_at) return false;
    length = *length_at, name = *name_at, data = *data_at;
    return true;
  }
};

bool is_named(uint64_t address, std::string_view name) {
  char text[kMaxCounterName];
  return name.size() < sizeof text && safe_copy(text, reinterpret_cast<const void*>(address), name.size() + 1) &&
         std::memcmp(text, name.data(), name.size()) == 0 && text[name.size()] == '\0';
}

}  // namespace

bool find_perf_entries(std::span<const PerfEntry> wanted) {
  const auto tables = VmTables::open();
  if (!tables) return false;
  const auto start = tables->address("PerfMemory", "_start");
  const auto first = tables->offset("PerfDataPrologue", "entry_offset");
  const auto count = tables->offset("PerfDataPrologue", "num_entries");
  EntryLayout entry{};
  if (!start || !first || !count || !entry.load(*tables)) return false;
  const uint64_t memory = u64_at(*start);
  if (memory == 0) return false;
  const uint32_t entries = u32_at(memory + *count);
  uint64_t at = memory + u32_at(memory + *first);
  for (uint32_t i = 0; i < entries && i < kMaxEntries; ++i) {
    const uint32_t length = u32_at(at + entry.length);
    if (length == 0) break;
    for (const PerfEntry& each : wanted)
      if (is_named(at + u32_at(at + entry.name), each.name)) *each.at = at + u32_at(at + entry.data);
    at += length;
  }
  return true;
}

PerfText perf_text_at(uint64_t address) {
  PerfText text{};
  if (address == 0 || !safe_copy(text.data(), reinterpret_cast<const void*>(address), text.size() - 1)) text[0] = '\0';
  return text;
}

}  // namespace rec::agent
