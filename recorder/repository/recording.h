// SPDX-License-Identifier: Apache-2.0
// A Recording is one file in the making: who asked for it, its finished chunks in a directory of its own, how many of
// them it keeps, what it was written to. An engine makes one or several at a time (recordings.h). Recorder thread only.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "recorder/repository/chunk_hook.h"
#include "recorder/repository/finished_files.h"
#include "recorder/repository/repository.h"

namespace rec {

inline constexpr uint64_t kFirstRecording = 1;

struct RecordingConfig {
  uint64_t id = kFirstRecording;  // of the process: as jdk.ActiveRecording has it
  std::string name = "rec";
  std::string filename;    // the finished recording, patterns expanded; empty: the end leaves the repository
  bool overwrite = false;  // it replaces whatever stands at its name
  std::string repository;  // directory of its chunks while it is open; made 0700 if missing
  uint64_t max_size = 0;   // of all its finished chunks; 0: no limit
  int64_t max_age_ns = 0;  // of a finished chunk's end; 0: no limit
  int64_t start_unix_ms = 0;
  std::string on_chunk;  // shell command for each finished chunk; empty: none (chunk_hook.h)
};

struct Recording {
  Recording(RecordingConfig its, void (*log)(const char* line))
      : config(std::move(its)),
        hook(config.on_chunk, log),
        repository(config.repository, config.max_size, config.max_age_ns, log) {
    repository.set_hook(&hook);
  }
  RecordingTarget target() const { return {config.filename, config.overwrite}; }

  const RecordingConfig config;
  ChunkHook hook;
  Repository repository;
  FinishedFiles files;
  std::string written;                           // the newest of these
  uint64_t samples_before = 0, lost_before = 0;  // of the engine, when it began
};

}  // namespace rec
