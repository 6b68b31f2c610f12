// SPDX-License-Identifier: Apache-2.0
// SegmentSum is the number in rec.Checksum, by which our chunks tell what is as it was written from what is not.
//
//   header | metadata | enumerations | sum | events | checkpoint | sum | events | checkpoint | sum | rec.Filler
//   `------------- the first ------------´  `------ the second ------´ `------- the third ------´
//
// CRC-32C of the place where the stretch begins (8 bytes, big-endian; behind the header or the sum before) and of its
// bytes, and of the checksum's own time, which is the stretch's end. The first one also has what never changes in the header: magic, version, the place of the metadata, ticks per
// second, and the start's wall clock minus its ticks. (The rest of the header follows from the events and the file.)
//
// It is for chunks as they lie where they were recorded: a tool that changes a recording may leave it as it was.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/crc32c.h"
#include "format/header_layout.h"

namespace jfr {

class SegmentSum {
 public:
  explicit SegmentSum(uint64_t begin) { add_number(begin); }

  void add_header(std::span<const uint8_t> header) {
    sum_.add(header.first(kSizeOffset));
    sum_.add(header.subspan(kMetadataOffset, 8));
    sum_.add(header.subspan(kTicksPerSecondOffset, 8));
    add_number(number_at(header, kStartNanosOffset) - number_at(header, kStartTicksOffset));
  }
  void add(std::span<const uint8_t> bytes) { sum_.add(bytes); }
  void add_end(int64_t ticks) { add_number(static_cast<uint64_t>(ticks)); }
  uint32_t value() const { return sum_.value(); }

 private:
  static uint64_t number_at(std::span<const uint8_t> header, size_t at) {
    uint64_t number = 0;
    for (const uint8_t byte : header.subspan(at, 8)) number = number << 8 | byte;
    return number;
  }
  void add_number(uint64_t number) {
    std::array<uint8_t, 8> bytes;
    for (size_t i = bytes.size(); i-- > 0; number >>= 8) bytes[i] = static_cast<uint8_t>(number);
    sum_.add(bytes);
  }

  base::Crc32c sum_;
};

}  // namespace jfr
