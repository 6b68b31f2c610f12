// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/clipped_header.h"

namespace jrec {

void put_header_number(HeaderBytes& header, size_t offset, int64_t value) {
  for (size_t i = 0; i < 8; ++i)
    header[offset + i] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (56 - 8 * i));
}

HeaderBytes clipped_header(const HeaderBytes& old, const jfr::read::ChunkHeader& parsed, const TimeRange& time) {
  const TimeRange whole{parsed.start_ns, parsed.end_ns()}, part = whole.both(time);
  if (part == whole || !whole.meets(time.from_ns, time.to_ns) || parsed.ticks_per_second <= 0) return old;
  const double left_out_s = static_cast<double>(part.from_ns - whole.from_ns) / 1e9;
  const auto left_out_ticks = static_cast<int64_t>(left_out_s * static_cast<double>(parsed.ticks_per_second) + 0.5);
  int64_t start_ticks = 0;
  if (__builtin_add_overflow(parsed.start_ticks, left_out_ticks, &start_ticks)) return old;
  HeaderBytes made = old;
  put_header_number(made, jfr::kStartNanosOffset, part.from_ns);
  put_header_number(made, jfr::kDurationOffset, part.to_ns - part.from_ns);
  put_header_number(made, jfr::kStartTicksOffset, start_ticks);
  return made;
}

}  // namespace jrec
