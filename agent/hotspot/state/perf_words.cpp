// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/perf_words.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/state/perf_entries.h"

namespace rec::agent {
namespace {

std::string cause_at(uint64_t address) {
  const PerfText text = perf_text_at(address);
  return text.data() == kNoCollection ? "" : text.data();
}

}  // namespace

bool PerfWords::open() {
  const PerfEntry wanted[] = {{"sun.rt.safepoints", &requested_},   {"sun.rt.safepointSyncTime", &sync_},
                              {"sun.rt.safepointTime", &stopped_},  {"sun.gc.cause", &cause_},
                              {"sun.gc.lastCause", &last_cause_},   {"sun.os.hrt.ticks", &uptime_},
                              {"sun.rt.createVmBeginTime", &begin_}};
  if (!find_perf_entries(wanted)) return false;
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

std::string PerfWords::collection_cause() const { return cause_at(cause_); }
std::string PerfWords::last_collection_cause() const { return cause_at(last_cause_); }

// Ticks of os::elapsed_counter are ns on Linux (os_linux.cpp).
int64_t PerfWords::noted_uptime_ns() const { return uptime_ == 0 ? 0 : static_cast<int64_t>(u64_at(uptime_)); }

// Threads::create_vm, src/hotspot/share/runtime/threads.cpp.
int64_t PerfWords::begin_unix_ms() const { return begin_ == 0 ? 0 : static_cast<int64_t>(u64_at(begin_)); }

}  // namespace rec::agent
