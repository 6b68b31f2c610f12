// SPDX-License-Identifier: Apache-2.0
// ChunkContexts is the requests that the samples of a chunk were taken in, as its events rec.SampleContext tell: the event
// of a sample has its thread and its start, to the tick.
//
//   rec.SampleContext {startTime, eventThread, traceId, spanId, spanName, attributes}    of the sample {startTime, eventThread, ...}
//
// Chunks of other programs have none, and cost nothing; else the chunk is walked over once. What cannot be decoded is left
// out: whoever reads the event will say so.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_table.h"

namespace jrec {

// Ids in hexadecimal digits, as they were written; empty: none.
struct SampleContext {
  std::string trace, span, name;  // name: of the span
  std::string attributes;         // key=value, separated by commas; backslashes stand in front of these
  auto operator<=>(const SampleContext&) const = default;
};

// Keys and values, without the backslashes.
std::vector<std::pair<std::string, std::string>> attributes_of(const SampleContext& context);

class ChunkContexts {
 public:
  explicit ChunkContexts(jfr::read::Chunk& chunk);

  // thread: the key of the sample's thread; start: as it is written, in ticks. nullptr: it had none.
  const SampleContext* of(uint64_t thread, int64_t start) const {
    const uint32_t* const place = places_.find({thread, start});
    return place == nullptr ? nullptr : &contexts_[*place];
  }
  // Likewise, as a number: places are counted from 0 in the order of the file, and each is a context of its own. -1: none.
  int64_t place_of(uint64_t thread, int64_t start) const {
    const uint32_t* const place = places_.find({thread, start});
    return place == nullptr ? -1 : int64_t{*place};
  }
  const std::deque<SampleContext>& all() const { return contexts_; }

 private:
  struct Moment {
    uint64_t thread = 0;
    int64_t start = 0;
    bool operator==(const Moment&) const = default;
  };
  struct MomentHash {
    size_t operator()(const Moment& moment) const {
      return by_key(moment.thread ^ by_key(static_cast<uint64_t>(moment.start)));
    }
    jfr::read::KeyHash by_key;
  };

  std::deque<SampleContext> contexts_;  // each once
  jfr::read::KeyTable<uint32_t, Moment, MomentHash> places_;
};

}  // namespace jrec
