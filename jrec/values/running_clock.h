// SPDX-License-Identifier: Apache-2.0
// RunningClock is the clock of a recording, over its chunks. Each chunk's header reads both clocks anew, some hundred
// nanoseconds apart. So the clock of the chunk before is kept, as in the JDK, for as long as the metadata stays the
// same and the new header agrees to within kTolerance_ns; else the chunks are of different recordings, or the ticks
// drifted.
#pragma once

#include <cstdint>

#include "format/reader/chunk.h"

namespace jrec {

class RunningClock {
 public:
  static constexpr uint64_t kTolerance_ns = 1'000'000;

  const jfr::read::Clock& of(const jfr::read::Chunk& chunk) {
    const auto kept = static_cast<uint64_t>(clock_.unix_ns(chunk.header().start_ticks));
    const auto told = static_cast<uint64_t>(chunk.header().start_ns);
    const bool agrees = kept - told + kTolerance_ns <= 2 * kTolerance_ns;
    const bool same =
        started_ && chunk.metadata().id() == metadata_id_ && chunk.header().ticks_per_second == ticks_per_second_;
    if (!same || !agrees) clock_ = chunk.clock();
    started_ = true;
    metadata_id_ = chunk.metadata().id();
    ticks_per_second_ = chunk.header().ticks_per_second;
    return clock_;
  }

 private:
  jfr::read::Clock clock_;
  bool started_ = false;
  uint64_t metadata_id_ = 0;
  int64_t ticks_per_second_ = 0;
};

}  // namespace jrec
