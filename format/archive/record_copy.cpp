// SPDX-License-Identifier: Apache-2.0
#include "format/archive/record_copy.h"

#include <array>
#include <cassert>

#include "format/reader/cursor.h"

namespace jfr::archive {
namespace {

using CopyKind = ColumnCopy::Kind;

uint8_t* put_fixed(uint64_t value, int width, uint8_t* to) {
  for (int shift = 8 * width - 8; shift >= 0; shift -= 8) *to++ = static_cast<uint8_t>(value >> shift);
  return to;
}

}  // namespace

bool take_record(std::span<const uint8_t> body, std::span<const ColumnCopy> copies, Streams& streams,
                 EventClock& clock) {
  assert(copies.size() <= kMostCopies && "longer types have no copies");
  std::array<uint64_t, kMostCopies> values;
  read::Cursor in(body, 0);
  for (size_t i = 0; i < copies.size(); ++i)
    values[i] = copies[i].kind == CopyKind::kFixed ? in.big_endian(copies[i].width) : in.shortest_leb();
  if (!in.ok() || in.remaining() != 0) return false;
  for (size_t i = 0; i < copies.size(); ++i) {
    const bool is_start = copies[i].kind == CopyKind::kTime;
    if (copies[i].kind == CopyKind::kDuration) clock.lasts(values[i]);
    streams.numbers(copies[i].stream).put(is_start ? clock.code(copies[i].stream, values[i]) : values[i]);
  }
  return true;
}

uint8_t* make_record(std::span<const ColumnCopy> copies, Streams& streams, EventClock& clock, uint8_t* to) {
  for (const ColumnCopy& copy : copies) {
    const uint64_t value = streams.next(copy.stream);
    switch (copy.kind) {
      case CopyKind::kLeb: to = base::put_leb(value, to); break;
      case CopyKind::kTime: to = base::put_leb(clock.start(copy.stream, value), to); break;
      case CopyKind::kDuration:
        clock.lasts(value);
        to = base::put_leb(value, to);
        break;
      case CopyKind::kFixed: to = put_fixed(value, copy.width, to); break;
    }
  }
  return to;
}

}  // namespace jfr::archive
