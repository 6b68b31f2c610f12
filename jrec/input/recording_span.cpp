// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/recording_span.h"

#include <algorithm>

#include "format/reader/chunk.h"
#include "jrec/values/time_text.h"

namespace jrec {

RecordingSpan span_of(const jfr::read::MappedFile& file) {
  jfr::read::Problems unsaid;
  jfr::read::ChunkScanner scanner(file.bytes(), unsaid);
  RecordingSpan span;
  bool first = true;
  while (const auto extent = scanner.next()) {
    const int64_t start = extent->header.start_ns;
    const int64_t end = extent->header.end_ns();
    if (first) {
      const jfr::read::Chunk chunk(file.bytes(), *extent, unsaid);
      span = {start, end, checked_utc_offset_s(chunk.metadata().utc_offset_ms())};
    }
    first = false;
    span.start_ns = std::min(span.start_ns, start);
    span.end_ns = std::max(span.end_ns, end);
    file.let_go(extent->offset, extent->size);
  }
  return span;
}

int64_t covered_ns(std::vector<TimeRange> times, const TimeRange& within) {
  std::ranges::sort(times, {}, &TimeRange::from_ns);
  int64_t covered = 0, told = within.from_ns;
  for (const TimeRange& each : times) {
    const int64_t from = std::max(each.from_ns, told), to = std::min(each.to_ns, within.to_ns);
    if (to <= from) continue;
    covered += to - from;
    told = to;
  }
  return covered;
}

}  // namespace jrec
