// SPDX-License-Identifier: Apache-2.0
#include "format/reader/chunk_header.h"

#include <algorithm>
#include <limits>
#include <string>

#include "format/reader/cursor.h"

namespace jfr::read {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

// A cast that saturates: out of range is undefined in C++, and the numbers come from a file.
int64_t saturated(double value) {
  if (value != value) return 0;
  if (value >= 9.2233720368547758e18) return std::numeric_limits<int64_t>::max();
  if (value <= -9.2233720368547758e18) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrapping_sub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

Error no_header(std::span<const uint8_t> bytes, uint64_t offset) {
  if (offset == 0 && bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
    return Error{ErrorCode::kUsage, 0, "is compressed with gzip; decompress it first"};
  return Error{ErrorCode::kCorrupt, offset, offset == 0 ? "not a flight recording" : "expected a chunk header"};
}

// Version 0 is read by format/old, which whoever opens files may ask first.
Error other_version(const ChunkHeader& header, uint64_t offset) {
  const std::string version = std::to_string(header.major) + "." + std::to_string(header.minor);
  return Error{ErrorCode::kUsage, offset,
               "chunk is of format version " + version +
                   (header.major == 0
                        ? ", by Oracle's JDK 7 or 8: jrec reads recordings of such chunks alone, and jrec cut makes "
                          "one of version 2 of them"
                        : "; only 1.x and 2.x (JDK 9 and later, OpenJDK 8u262) can be read")};
}

}  // namespace

Result<ChunkHeader> parse_chunk_header(std::span<const uint8_t> bytes, uint64_t offset_in_file) {
  Cursor in(bytes, 0);
  const auto magic = in.bytes(kChunkMagic.size());
  if (!in.ok() || !std::equal(magic.begin(), magic.end(), kChunkMagic.begin())) return no_header(bytes, offset_in_file);
  ChunkHeader header;
  header.major = in.be16();
  header.minor = in.be16();
  if (in.ok() && header.major != 1 && header.major != 2) return other_version(header, offset_in_file);
  header.size = in.be64();
  header.checkpoint = in.be64();
  header.metadata = in.be64();
  header.start_ns = static_cast<int64_t>(in.be64());
  header.duration_ns = static_cast<int64_t>(in.be64());
  header.start_ticks = static_cast<int64_t>(in.be64());
  header.ticks_per_second = static_cast<int64_t>(in.be64());
  header.state = in.u8();
  in.u8();
  const uint16_t flags = in.be16();
  if (!in.ok())
    return Error{
        ErrorCode::kCorrupt, offset_in_file,
        "chunk header is cut short: " + std::to_string(bytes.size()) + " of " + std::to_string(kHeaderSize) + " bytes"};
  // The bit is not trusted: the JDK writes and reads LEB128 whatever it says.
  header.compressed = (flags & kFlagCompressed) != 0;
  header.final_chunk = (flags & kFlagFinal) != 0;
  return header;
}

Clock::Clock(const ChunkHeader& header)
    : start_ns_(header.start_ns),
      start_ticks_(header.start_ticks),
      ticks_per_ns_(static_cast<double>(header.ticks_per_second) / 1e9) {}

int64_t Clock::unix_ns(int64_t ticks) const {
  return wrapping_add(start_ns_, span_ns(wrapping_sub(ticks, start_ticks_)));
}

int64_t Clock::span_ns(int64_t ticks) const { return saturated(static_cast<double>(ticks) / ticks_per_ns_); }

int64_t Clock::nearest_span_ns(int64_t ticks) const {
  const double ns = static_cast<double>(ticks) / ticks_per_ns_;
  return saturated(ns + (ns < 0 ? -0.5 : 0.5));  // std::round() would bind the agent to libm
}

}  // namespace jfr::read
