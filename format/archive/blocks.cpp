// SPDX-License-Identifier: Apache-2.0
#include "format/archive/blocks.h"

#include <algorithm>

#include "format/archive/number_codec.h"
#include "format/archive/zstd_frame.h"

namespace jfr::archive {
namespace {

using Bytes = std::span<const uint8_t>;

// For blocks of up to so many bytes there are levels from which on zstd looks for the best parse, and no longer.
constexpr size_t kSmall = 256u << 10, kMiddling = 512u << 10;
constexpr int kMoreForSmall = 5, kMoreForMiddling = 7;
constexpr size_t kSmallWithBase = 128u << 10, kFewTexts = 128u << 10;
constexpr int kMoreForTexts = 1;
// What gets so many times smaller by a first look has little left, and takes zstd longest.
constexpr size_t kLooked = 64u << 10, kNothingLeft = 12;
constexpr int kLookLevel = 1;

int level_for(size_t size, int level) {
  if (size <= kSmall) return small_level(level);
  return size <= kMiddling ? std::min(level + kMoreForMiddling, kBestLevel) : level;
}

// What a base has of a column is found by whoever looks: more is worth it for the smallest ones.
int column_level_for(size_t size, int level, Bytes of_base) {
  return size > kSmallWithBase && !of_base.empty() ? level : level_for(size, level);
}

// A base with many more texts than the chunk is one of the same program: what it lacks is little. And of many texts the
// best parse makes less than of numbers.
int text_level_for(size_t size, int level, Bytes of_base) {
  if (size < of_base.size() / 2) return level;
  return size <= kFewTexts ? small_level(level) : std::min(level + kMoreForTexts, kBestLevel);
}

Bytes large_of(const Blocks* base, uint32_t stream) {
  if (base == nullptr) return {};
  const auto found = base->large.find(stream);
  return found == base->large.end() ? Bytes() : Bytes(found->second);
}

bool has_little_left(Bytes block, int level) {
  if (block.size() < kLooked || level <= kUsualLevel) return false;
  std::vector<uint8_t> frame;
  append_zstd(block, kLookLevel, {}, frame);
  return frame.size() < block.size() / kNothingLeft;
}

void append_frame(Bytes block, int level, Bytes prefix, ZstdDictionaries* ready, std::vector<uint8_t>& out) {
  if (has_little_left(block, level)) level = kUsualLevel;
  std::vector<uint8_t> frame;
  const bool with = ready != nullptr && !prefix.empty() && !block.empty();
  append_zstd(block, level, prefix, frame, with ? ready->of(prefix, level) : nullptr);
  append_varint(frame.size(), out);
  out.insert(out.end(), frame.begin(), frame.end());
}

// Reads what pack_blocks() wrote.
struct BlockReader {
  Bytes packed;
  uint64_t limit;
  size_t at = 0;

  bool take(Bytes prefix, std::vector<uint8_t>& block) {
    uint64_t size = 0;
    if (!take_varint(packed, at, size) || size > packed.size() - at) return false;
    if (!take_zstd(packed.subspan(at, size), limit, prefix, block)) return false;
    at += size;
    limit -= block.size();
    return true;
  }

  bool take_as_it_is(std::vector<uint8_t>& block) {
    uint64_t size = 0;
    if (!take_varint(packed, at, size) || size == 0 || size > packed.size() - at || size > limit) return false;
    block.assign(packed.begin() + static_cast<ptrdiff_t>(at), packed.begin() + static_cast<ptrdiff_t>(at + size));
    at += size;
    limit -= size;
    return true;
  }
};

}  // namespace

int small_level(int level) { return std::min(level + kMoreForSmall, kBestLevel); }

std::vector<uint8_t> pack_blocks(const Blocks& blocks, int level, const Blocks* base, ZstdDictionaries* ready) {
  std::vector<uint8_t> out;
  const Bytes front = base == nullptr ? Bytes() : base->front, texts = base == nullptr ? Bytes() : base->texts;
  append_frame(blocks.front, level_for(blocks.front.size(), level), front, ready, out);
  append_frame(blocks.texts, text_level_for(blocks.texts.size(), level, texts), texts, ready, out);
  for (const auto& [stream, bytes] : blocks.large) {
    append_varint(uint64_t{stream} + 1, out);
    const Bytes prefix = large_of(base, stream);
    append_frame(bytes, column_level_for(bytes.size(), level, prefix), prefix, ready, out);
  }
  if (blocks.modelled.empty()) return out;
  append_varint(0, out);
  append_varint(blocks.modelled.size(), out);
  out.insert(out.end(), blocks.modelled.begin(), blocks.modelled.end());
  return out;
}

std::optional<Blocks> unpack_blocks(Bytes packed, uint64_t limit, const Blocks* base) {
  Blocks blocks;
  BlockReader in{packed, limit};
  if (!in.take(base == nullptr ? Bytes() : Bytes(base->front), blocks.front)) return std::nullopt;
  if (!in.take(base == nullptr ? Bytes() : Bytes(base->texts), blocks.texts)) return std::nullopt;
  for (uint64_t stream = 0; in.at < packed.size();) {
    if (!take_varint(packed, in.at, stream) || stream > UINT32_MAX) return std::nullopt;
    if (stream == 0) {
      if (!blocks.modelled.empty() || !in.take_as_it_is(blocks.modelled)) return std::nullopt;
      continue;
    }
    const auto number = static_cast<uint32_t>(stream - 1);
    if (!in.take(large_of(base, number), blocks.large[number])) return std::nullopt;
  }
  return blocks;
}

}  // namespace jfr::archive
