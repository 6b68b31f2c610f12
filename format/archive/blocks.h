// SPDX-License-Identifier: Apache-2.0
// Blocks are the streams of a chunk as zstd gets them. Chunks of one program have much in common, so blocks are packed
// with those of another chunk, the base, as what is known already.
//
//   front    LEB128 packed size, zstd frame of: the directory of the streams, and all small streams of numbers
//   texts    the same of all streams of bytes
//   large    of each large stream of numbers: LEB128 its number + 1, LEB128 packed size, zstd frame
//   modelled 0, LEB128 size, and the block as it is (modelled_numbers.h)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/zstd_dictionaries.h"

namespace jfr::archive {

// The most values that the streams of a chunk of that many bytes, or of its metadata, may have.
constexpr uint64_t value_limit(uint64_t size) { return 2 * size + (1u << 20); }

// Levels are zstd's. Small blocks, of which most chunks have nothing else, are worth some more of them.
inline constexpr int kBestLevel = 19, kUsualLevel = 9;
int small_level(int level);

struct Blocks {
  std::vector<uint8_t> front, texts;
  std::map<uint32_t, std::vector<uint8_t>> large;  // by the number of the stream
  std::vector<uint8_t> modelled;                   // there is nothing left to pack
};

// level: for what is large. base: null for none. ready: blocks of the base, for who packs many with it; null for none.
std::vector<uint8_t> pack_blocks(const Blocks& blocks, int level, const Blocks* base,
                                 ZstdDictionaries* ready = nullptr);
// All of them at that level, however small they are.
std::vector<uint8_t> pack_blocks_at(int level, const Blocks& blocks, const Blocks* base,
                                    ZstdDictionaries* ready = nullptr);

// Nothing for bytes that these two did not make with that base, or of more than `limit` bytes.
std::optional<Blocks> unpack_blocks(std::span<const uint8_t> packed, uint64_t limit, const Blocks* base);

}  // namespace jfr::archive
