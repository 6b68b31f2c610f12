// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/chunk_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "format/reader/chunk_header.h"
#include "format/reader/cursor.h"

namespace jrec {
namespace {

using jfr::read::ChunkHeader;

struct ChunkPart {
  size_t file = 0;
  ChunkHeader header;
};

// What tells a chunk from all others: its metadata's size, time and id, and how fast its clock goes.
using Origin = std::array<uint64_t, 4>;

// None: it has no time, or nothing can be read.
std::optional<Origin> origin_of(const Stretch& chunk, const ChunkHeader& header) {
  if (header.metadata >= chunk.bytes.size()) return std::nullopt;
  jfr::read::Cursor in(chunk.bytes, header.metadata);
  const uint64_t size = in.leb(), type = in.leb(), ticks = in.leb();
  in.leb();  // how long it took
  const uint64_t id = in.leb();
  if (!in.ok() || type != jfr::kMetadataType || ticks == 0) return std::nullopt;
  return Origin{size, ticks, id, static_cast<uint64_t>(header.ticks_per_second)};
}

// Of damaged headers any number.
double minus(int64_t a, int64_t b) {
  return static_cast<double>(static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)));
}

// A tick means the same moment in both, to a few nanoseconds.
bool share_clock(const ChunkHeader& one, const ChunkHeader& other) {
  constexpr double kRounded_ns = 3;
  const double ticks = minus(other.start_ticks, one.start_ticks), ns = minus(other.start_ns, one.start_ns);
  return std::fabs(ticks * 1e9 / static_cast<double>(one.ticks_per_second) - ns) <= kRounded_ns;
}

bool overlap(const ChunkPart& one, const ChunkPart& other) {
  const ChunkHeader &a = one.header, &b = other.header;
  const bool is_same_time = a.start_ns == b.start_ns && a.duration_ns == b.duration_ns;
  return one.file != other.file && !is_same_time && a.start_ns < b.end_ns() && b.start_ns < a.end_ns() &&
         share_clock(a, b);
}

}  // namespace

size_t overlapping_parts(Input& input, const ChunkCopies& copies) {
  const size_t all = input.stretches();
  if (all == 0 || input.outline(all - 1).file == 0) return 0;
  std::map<Origin, std::vector<ChunkPart>> parts;
  for (size_t i = 0; i < all; ++i) {
    const Input::Outline outline = input.outline(i);
    if (!outline.is_chunk || !outline.mapped || copies.is_copy(i)) continue;
    const auto chunk = input.read(i);
    const auto header = chunk ? jfr::read::parse_chunk_header(chunk->bytes, 0) : chunk.error();
    if (header && header->ticks_per_second > 0)
      if (const auto origin = origin_of(*chunk, *header)) parts[*origin].push_back({outline.file, *header});
    input.let_go(outline.offset, outline.size);
  }
  size_t count = 0;
  for (const auto& [origin, of_one] : parts)
    for (const ChunkPart& part : of_one)
      count += std::ranges::any_of(of_one, [&](const ChunkPart& other) { return overlap(part, other); });
  return count;
}

}  // namespace jrec
