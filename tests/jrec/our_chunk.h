// SPDX-License-Identifier: Apache-2.0
// A chunk as the recorder leaves it: by its own writer, with samples and, once it is closed, counters.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "format/writer/chunk_file.h"
#include "tests/format/writer_sample.h"

namespace test {

using Counters = std::vector<std::pair<std::string, uint64_t>>;

struct OurChunk {
  unsigned samples = 3;  // each in a flush of its own
  Counters counters;
  bool closed = true;

  void write(const std::string& directory, const std::string& name) const {
    auto chunk = jfr::ChunkFile::create(directory, name, 64 << 10, {1'700'000'000'000'000'000, sample::kStart});
    REQUIRE(chunk.ok());
    for (unsigned id = 1; id <= samples; ++id) {
      jfr::CheckpointBuilder constants;
      sample::constants(constants, id);
      jfr::ByteSink events;
      sample::event(events, id, sample::kStart + int64_t{id} * 1'000'000);
      REQUIRE(chunk->append(constants, events.bytes(), sample::kStart + int64_t{id} * 2'000'000).ok());
    }
    if (!counters.empty()) REQUIRE(chunk->append({}, counter_events().bytes(), sample::kStart + 1'000'000'000).ok());
    if (closed) REQUIRE(chunk->close(sample::kStart + 1'000'000'000, false).ok());
  }

 private:
  jfr::ByteSink counter_events() const {
    jfr::ByteSink events;
    for (const auto& [cause, count] : counters) {
      const size_t at = events.reserve_size();
      events.leb(static_cast<uint64_t>(jfr::TypeId::kRecCounters));
      events.leb_i64(sample::kStart);
      events.text(cause);
      events.leb(count);
      events.leb(count);
      events.patch_size(at, static_cast<uint32_t>(events.size() - at));
    }
    return events;
  }
};

}  // namespace test
