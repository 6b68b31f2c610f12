// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/perf_words.h"

#include <cstring>
#include <string_view>

#include "agent/hotspot/vm/vm_tables.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMaxEntries = 4096;
constexpr size_t kMaxCounterName = 64;
constexpr size_t kMaxCause = 64;

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

bool PerfWords::open() {
  const auto tables = VmTables::open();
  if (!tables) return false;
  const auto start = tables->address("PerfMemory", "_start");
  const auto first = tables->offset("PerfDataPrologue", "entry_offset");
  const auto count = tables->offset("PerfDataPrologue", "num_entries");
  EntryLayout entry{};
  if (!start || !first || !count || !entry.load(*tables)) return false;
  const uint64_t memory = u64_at(*start);
  if (memory == 0) return false;
  const struct {
    const char* name;
    uint64_t& at;
  } wanted[] = {{"sun.rt.safepoints", requested_},  {"sun.rt.safepointSyncTime", sync_},
                {"sun.rt.safepointTime", stopped_}, {"sun.gc.cause", cause_},
                {"sun.os.hrt.ticks", uptime_},      {"sun.rt.createVmBeginTime", begin_}};
  const uint32_t entries = u32_at(memory + *count);
  uint64_t at = memory + u32_at(memory + *first);
  for (uint32_t i = 0; i < entries && i < kMaxEntries; ++i) {
    const uint32_t length = u32_at(at + entry.length);
    if (length == 0) break;
    for (const auto& each : wanted)
      if (is_named(at + u32_at(at + entry.name), each.name)) each.at = at + u32_at(at + entry.data);
    at += length;
  }
  if (sync_ == 0 || stopped_ == 0) requested_ = 0;
  return present();
}

// In the order that the VM does not write them in: what is seen to be over has been seen to begin.
SafepointCounts PerfWords::read() const {
  SafepointCounts counts;
  counts.stopped_ns = u64_at(stopped_);
  counts.sync_ns = u64_at(sync_);
  counts.requested = u64_at(requested_);
  return counts;
}

std::string PerfWords::collection_cause() const {
  char text[kMaxCause] = {};
  if (cause_ == 0 || !safe_copy(text, reinterpret_cast<const void*>(cause_), sizeof text - 1)) return {};
  return std::strcmp(text, "No GC") == 0 ? "" : text;
}

// Ticks of os::elapsed_counter are ns on Linux (os_linux.cpp).
int64_t PerfWords::noted_uptime_ns() const { return uptime_ == 0 ? 0 : static_cast<int64_t>(u64_at(uptime_)); }

// Threads::create_vm, src/hotspot/share/runtime/threads.cpp.
int64_t PerfWords::begin_unix_ms() const { return begin_ == 0 ? 0 : static_cast<int64_t>(u64_at(begin_)); }

}  // namespace rec::agent
