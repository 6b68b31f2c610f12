// SPDX-License-Identifier: Apache-2.0
// What an engine's chunks are and what each says of the process.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "format/type_ids.h"
#include "recorder/spool/limits.h"
#include "recorder/spool/sample_event.h"

namespace rec {

// As in jdk.ActiveSetting: how an event is recorded, "period" -> "10 ms".
struct EventSetting {
  jfr::TypeId event;
  std::string name, value;
};

// How events are recorded, from the beginning of a chunk to the end of one: all of it is true for all that is in them.
struct ChunkSettings {
  std::vector<EventSetting> events;
  int64_t sample_period_ns = kDefaultPeriodNs;
  uint32_t live_slots = 0;  // places for objects that are alive (live_object.h)
};

// What each chunk says of the process; texts are already redacted.
struct ProcessFacts {
  std::string jvm_name, jvm_version, jvm_arguments, jvm_flags, java_arguments;
  int64_t jvm_start_unix_ms = 0;
  int64_t pid = 0;
  std::vector<std::pair<std::string, std::string>> system_properties;
  std::vector<EventSetting> settings;
};

struct ChunkConfig {
  uint64_t max_chunk_size = kDefaultChunkSize;  // clamped to [kMinChunkSize, kMaxChunkSize]
  int64_t max_chunk_age_ns = 0;                 // 0: no limit
  int64_t flush_interval_ns = kDefaultFlushNs;
  int64_t sample_period_ns = kDefaultPeriodNs;
  SampleEvent sample_event = SampleEvent::kExecutionSample;
  void (*log)(const char* line) = nullptr;  // one line for the user; by the recorder thread, and in start()
  int64_t (*unix_ns)() = nullptr;           // null: CLOCK_REALTIME
};

}  // namespace rec
