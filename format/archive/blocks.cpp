// SPDX-License-Identifier: Apache-2.0
#include "format/archive/blocks.h"

#include <algorithm>

#include "format/archive/number_codec.h"
#include "format/archive/zstd_frame.h"

namespace jfr::archive {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr size_t kThorough = 512u << 10;  // bytes up to which a block is packed better than asked for
constexpr int kThoroughLevel = 17;

Bytes large_of(const Blocks* base, uint32_t stream) {
  if (base == nullptr) return {};
  const auto found = base->large.find(stream);
  return found == base->large.end() ? Bytes() : Bytes(found->second);
}

void append_frame(Bytes block, int level, Bytes prefix, std::vector<uint8_t>& out) {
  std::vector<uint8_t> frame;
  append_zstd(block, block.size() <= kThorough ? std::max(level, kThoroughLevel) : level, prefix, frame);
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
};

}  // namespace

std::vector<uint8_t> pack_blocks(const Blocks& blocks, int level, const Blocks* base) {
  std::vector<uint8_t> out;
  append_frame(blocks.front, level, base == nullptr ? Bytes() : Bytes(base->front), out);
  append_frame(blocks.texts, level, base == nullptr ? Bytes() : Bytes(base->texts), out);
  for (const auto& [stream, bytes] : blocks.large) {
    append_varint(uint64_t{stream} + 1, out);
    append_frame(bytes, level, large_of(base, stream), out);
  }
  return out;
}

std::optional<Blocks> unpack_blocks(Bytes packed, uint64_t limit, const Blocks* base) {
  Blocks blocks;
  BlockReader in{packed, limit};
  if (!in.take(base == nullptr ? Bytes() : Bytes(base->front), blocks.front)) return std::nullopt;
  if (!in.take(base == nullptr ? Bytes() : Bytes(base->texts), blocks.texts)) return std::nullopt;
  for (uint64_t stream = 0; in.at < packed.size();) {
    if (!take_varint(packed, in.at, stream) || stream == 0 || stream > UINT32_MAX) return std::nullopt;
    const auto number = static_cast<uint32_t>(stream - 1);
    if (!in.take(large_of(base, number), blocks.large[number])) return std::nullopt;
  }
  return blocks;
}

}  // namespace jfr::archive
