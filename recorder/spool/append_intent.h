// SPDX-License-Identifier: Apache-2.0
// AppendIntent says in a spool's header, for its lifetime, which segment is about to be appended where. A process
// killed in between leaves it there, and recovery looks into the chunk whether the segment arrived.
//
//   chunk, intent_offset -> intent_end (release) -> append() -> consumed -> intent_end = 0
//
// Recorder thread only. The next reader may be another process, after our death: a file keeps the stores that were made
// until then, and the releases keep the compiler from making them in another order. Between two intents lies append(),
// and a call into the kernel cannot be reordered with stores either.
#pragma once

#include <cassert>
#include <string_view>

#include "recorder/spool/header_edit.h"

namespace rec {

// The chunk that the next intent is about.
inline void name_chunk(SpoolHeader& header, std::string_view chunk) {
  if (text_in(header.chunk) == chunk) return;
  write_text(header.chunk, chunk);
  header.chunk_check.store(chunk_name_check(header), std::memory_order_relaxed);
}

class AppendIntent {
 public:
  AppendIntent(SpoolHeader& header, std::string_view chunk, uint64_t offset, uint32_t end) : header_(header) {
    assert(offset % 8 == 0 && "a segment begins at a multiple of eight, and recovery looks nowhere else");
    assert(header.intent_end.load(std::memory_order_relaxed) == 0 && "one append at a time");
    name_chunk(header, chunk);
    header.intent_offset.store(offset, std::memory_order_relaxed);
    // release: pairs with consumed_slots() in recovery, which trusts name and offset once this is not 0.
    header.intent_end.store(end, std::memory_order_release);
  }
  // release: pairs with consumed_slots() in recovery: `consumed` was stored before.
  ~AppendIntent() { header_.intent_end.store(0, std::memory_order_release); }
  AppendIntent(const AppendIntent&) = delete;
  AppendIntent& operator=(const AppendIntent&) = delete;

 private:
  SpoolHeader& header_;
};

// Likewise for the counters at a chunk's end.
class CountersIntent {
 public:
  CountersIntent(SpoolHeader& header, std::string_view chunk, uint64_t offset) : header_(header) {
    assert(offset != 0 && offset % 8 == 0 && "0 says that no counters are under way");
    name_chunk(header, chunk);
    // release: pairs with counters_are_told() in recovery, which trusts the name once this is not 0.
    header.counters_offset.store(offset, std::memory_order_release);
  }
  // release: pairs with counters_are_told() in recovery: what the chunk has was taken off the counters before.
  ~CountersIntent() { header_.counters_offset.store(0, std::memory_order_release); }
  CountersIntent(const CountersIntent&) = delete;
  CountersIntent& operator=(const CountersIntent&) = delete;

 private:
  SpoolHeader& header_;
};

}  // namespace rec
