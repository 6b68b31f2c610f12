// SPDX-License-Identifier: Apache-2.0
// What the tests of ChunkFile share: a chunk "a.jfr" on a scratch disk, flushes with one sample, and the verdict on the
// file.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "format/writer/chunk_file.h"
#include "tests/format/writer_disk.h"
#include "tests/format/writer_sample.h"
#include "tests/format/writer_walk.h"

namespace scratch {

using base::ErrorCode;
using jfr::CheckpointBuilder;
using jfr::ChunkFile;
using Names = std::vector<std::string>;

inline constexpr uint64_t kCapacity = 64 * 1024;
inline constexpr jfr::ChunkClock kClock = {1'700'000'000'000'000'000, sample::kStart};

inline ChunkFile open_chunk(const Disk& disk, uint64_t capacity = kCapacity) {
  auto chunk = ChunkFile::create(disk.directory(), "a.jfr", capacity, kClock);
  REQUIRE_MESSAGE(chunk.ok(), chunk.error().what);
  return std::move(*chunk);
}

// One flush with the sample `id` in it, at `id` seconds.
inline base::Status append_sample(ChunkFile& chunk, uint64_t id, bool with_constants = true, bool with_event = true) {
  CheckpointBuilder constants;
  jfr::ByteSink events;
  const int64_t now = sample::kStart + static_cast<int64_t>(id) * 1'000'000'000;
  if (with_constants) sample::constants(constants, id);
  if (with_event) sample::event(events, id, now - 500'000'000);
  return chunk.append(constants, events.bytes(), now);
}

inline walk::Chunk walked(const Disk& disk) { return walk::chunk(Disk::read(disk.path("a.jfr"))); }
inline size_t samples(const Disk& disk) { return walked(disk).count("jdk.ExecutionSample"); }

// What the walker has against the chunk, whose samples it counts; empty if nothing.
inline std::string fault(const Disk& disk, size_t& samples) {
  try {
    const walk::Chunk chunk = walked(disk);
    samples = chunk.count("jdk.ExecutionSample");
    if (!chunk.dangling.empty()) return "no constant " + std::to_string(chunk.dangling.begin()->second);
    if (!chunk.unchained.empty()) return "checkpoint not chained, at " + std::to_string(*chunk.unchained.begin());
    const int64_t now = sample::kStart + 100'000'000'000;
    for (const walk::Event& event : chunk.events)
      if (static_cast<int64_t>(event.start_ticks) < sample::kStart || static_cast<int64_t>(event.start_ticks) > now)
        return event.type + " at " + std::to_string(event.offset) + " has ticks " + std::to_string(event.start_ticks);
    return {};
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

inline std::string fault(const Disk& disk) {
  size_t samples = 0;
  return fault(disk, samples);
}

}  // namespace scratch
