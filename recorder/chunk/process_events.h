// SPDX-License-Identifier: Apache-2.0
// The events at the head of each chunk: what JVM, machine and recording it is from. Recorder thread only.
#pragma once

#include <string>

#include "recorder/chunk/chunk_config.h"
#include "recorder/chunk/event_encoder.h"
#include "recorder/repository/recordings.h"

namespace rec {

class ProcessEvents {
 public:
  ProcessEvents(const ChunkConfig& config, ProcessFacts facts);  // reads /etc and /proc once
  void encode(EventEncoder& out, int64_t ticks, const Recordings& recordings) const;
  void set_settings(std::vector<EventSetting> settings) { facts_.settings = std::move(settings); }

 private:
  void encode_jvm(EventEncoder& out, int64_t ticks) const;
  void encode_machine(EventEncoder& out, int64_t ticks) const;
  void encode_recording(EventEncoder& out, int64_t ticks, const RecordingConfig& about) const;
  void encode_settings(EventEncoder& out, int64_t ticks) const;

  const ChunkConfig& config_;
  ProcessFacts facts_;
  std::string os_version_, cpu_, cpu_description_;
  int32_t sockets_ = 1, cores_ = 1, hw_threads_ = 1;
};

}  // namespace rec
