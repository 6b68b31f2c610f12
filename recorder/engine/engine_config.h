// SPDX-License-Identifier: Apache-2.0
// What an engine is started with.
#pragma once

#include <cstdint>
#include <string>

#include "recorder/chunk/chunk_config.h"
#include "recorder/epoch/carrier.h"
#include "recorder/epoch/epoch.h"
#include "recorder/repository/recording.h"
#include "recorder/spool/limits.h"

namespace rec {

// Both in one: the first recording begins and may end with the engine.
struct EngineConfig : ChunkConfig, RecordingConfig {
  std::string spool_directory;   // where spools go; empty: a tmpfs with room, else the repository (spool_directory.h)
  uint64_t max_spool_bytes = 0;  // of all spools together; 0: half of what is free there
  CopyFn copy = nullptr;         // null: plain memcpy, for memory that is known to be readable
  int64_t quiesce_limit_ns = kQuiesceLimitNs;  // how long a rotation waits for the last pin
  void (*thread_started)() = nullptr;          // first thing the recorder thread does: block signals, as agents should
  Heir* heir = nullptr;                        // has events that outlive an epoch; outlives the engine
  uint32_t live_slots = 0;                     // for them (live_object.h)
  uint64_t (*faulted_loads)() = nullptr;       // safe loads that faulted so far, if somebody counts them; grows only
};

}  // namespace rec
