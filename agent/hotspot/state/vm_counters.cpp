// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/vm_counters.h"

#include <string>
#include <vector>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/state/perf_entries.h"

namespace rec::agent {
namespace {

int64_t count_at(uint64_t address) { return address == 0 ? kNotCounted : static_cast<int64_t>(u64_at(address)); }

// Sizes that are 0 until the collector has noted them.
int64_t size_at(uint64_t address) {
  const int64_t size = count_at(address);
  return size == 0 ? kNotCounted : size;
}

int64_t added(int64_t one, int64_t other) {
  if (one == kNotCounted) return other;
  return other == kNotCounted ? one : one + other;
}

}  // namespace

void VmCounters::open() {
  std::vector<PerfEntry> wanted = {{"java.threads.live", &live_},
                                   {"java.threads.daemon", &daemon_},
                                   {"java.threads.started", &started_},
                                   {"java.threads.livePeak", &peak_},
                                   {"java.cls.loadedClasses", &loaded_},
                                   {"java.cls.sharedLoadedClasses", &shared_loaded_},
                                   {"java.cls.unloadedClasses", &unloaded_},
                                   {"java.cls.sharedUnloadedClasses", &shared_unloaded_},
                                   {"sun.gc.metaspace.used", &metaspace_used_},
                                   {"sun.gc.metaspace.capacity", &metaspace_committed_}};
  std::vector<std::string> names;  // as many as there are, so that none moves
  names.reserve(kGenerations * (kSpaces + 1));
  for (size_t g = 0; g < kGenerations; ++g) {
    const std::string generation = "sun.gc.generation." + std::to_string(g);
    wanted.push_back({names.emplace_back(generation + ".capacity").c_str(), &generations_[g].capacity});
    for (size_t s = 0; s < kSpaces; ++s)
      wanted.push_back({names.emplace_back(generation + ".space." + std::to_string(s) + ".used").c_str(),
                        &generations_[g].spaces[s].used});
  }
  find_perf_entries(wanted);
}

VmCounts VmCounters::read() const {
  VmCounts counts;
  counts.threads = count_at(live_);
  counts.daemons = count_at(daemon_);
  counts.started = count_at(started_);
  counts.peak = count_at(peak_);
  counts.classes_loaded = added(count_at(loaded_), count_at(shared_loaded_));
  counts.classes_unloaded = added(count_at(unloaded_), count_at(shared_unloaded_));
  for (const Generation& generation : generations_) {
    counts.heap_committed = added(counts.heap_committed, count_at(generation.capacity));
    for (const Space& space : generation.spaces) counts.heap_used = added(counts.heap_used, size_at(space.used));
  }
  counts.metaspace_used = size_at(metaspace_used_);
  counts.metaspace_committed = size_at(metaspace_committed_);
  return counts;
}

}  // namespace rec::agent
