// SPDX-License-Identifier: Apache-2.0
#include "format/archive/blocks.h"

#include <algorithm>
#include <utility>

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

// Words are a base without numbers (words.h). Of what they leave the best parse gains a 300th, in twice the time.
int level_with_words(int level) {
  const int more = std::min(small_level(level), kUsualLevel + kMoreForTexts);
  return std::min(std::max(level + kMoreForTexts, more), kBestLevel);
}

// A base with many more texts than the chunk is one of the same program: what it lacks is little. And of many texts the
// best parse makes less than of numbers.
int text_level_for(size_t size, int level, const Blocks* base) {
  if (base != nullptr && base->front.empty()) return level_with_words(level);
  if (base != nullptr && size < base->texts.size() / 2) return level;
  return size <= kFewTexts ? small_level(level) : std::min(level + kMoreForTexts, kBestLevel);
}

Bytes front_of(const Blocks* base) { return base == nullptr ? Bytes() : Bytes(base->front); }
Bytes texts_of(const Blocks* base) { return base == nullptr ? Bytes() : Bytes(base->texts); }
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

class BlockWriter {
 public:
  void put(Bytes block, int level, Bytes prefix = {}, ZstdDictionaries* ready = nullptr) {
    if (has_little_left(block, level)) level = kUsualLevel;
    std::vector<uint8_t> frame;
    const bool with = ready != nullptr && !prefix.empty() && !block.empty();
    append_zstd(block, level, prefix, frame, with ? ready->of(prefix, level) : nullptr);
    append_varint(frame.size(), out_);
    out_.insert(out_.end(), frame.begin(), frame.end());
  }
  void put_large(uint32_t stream, Bytes block, int level, Bytes prefix = {}, ZstdDictionaries* ready = nullptr) {
    append_varint(uint64_t{stream} + 1, out_);
    put(block, level, prefix, ready);
  }
  std::vector<uint8_t> finish(Bytes modelled) {
    if (modelled.empty()) return std::move(out_);
    append_varint(0, out_);
    append_varint(modelled.size(), out_);
    out_.insert(out_.end(), modelled.begin(), modelled.end());
    return std::move(out_);
  }

 private:
  std::vector<uint8_t> out_;
};

// Reads what BlockWriter wrote.
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
  const Bytes front = front_of(base), texts = texts_of(base);
  BlockWriter out;
  out.put(blocks.front, level_for(blocks.front.size(), level), front, ready);
  out.put(blocks.texts, text_level_for(blocks.texts.size(), level, base), texts, ready);
  for (const auto& [stream, bytes] : blocks.large) {
    const Bytes prefix = large_of(base, stream);
    out.put_large(stream, bytes, column_level_for(bytes.size(), level, prefix), prefix, ready);
  }
  return out.finish(blocks.modelled);
}

std::vector<uint8_t> pack_blocks_at(int level, const Blocks& blocks, const Blocks* base, ZstdDictionaries* ready) {
  const Bytes front = front_of(base), texts = texts_of(base);
  BlockWriter out;
  out.put(blocks.front, level, front, ready);
  out.put(blocks.texts, level, texts, ready);
  for (const auto& [stream, bytes] : blocks.large) out.put_large(stream, bytes, level, large_of(base, stream), ready);
  return out.finish(blocks.modelled);
}

std::optional<Blocks> unpack_blocks(Bytes packed, uint64_t limit, const Blocks* base) {
  Blocks blocks;
  BlockReader in{packed, limit};
  if (!in.take(front_of(base), blocks.front)) return std::nullopt;
  if (!in.take(texts_of(base), blocks.texts)) return std::nullopt;
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
