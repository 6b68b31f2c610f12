// SPDX-License-Identifier: Apache-2.0
// A chunk, taken apart into columns by its own metadata and packed; and back, to the byte.
//
//   chunk --encode_chunk--> blocks of streams
//                         + contents of its metadata events   (the same in every chunk of a JVM: kept once)
//
// Each record that cannot be put together again from its columns is kept as it is, and so is what stands behind the
// last whole record. A chunk without readable metadata is not taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "format/archive/blocks.h"
#include "format/archive/lexicon.h"

namespace jfr::archive {

struct CodedChunk {
  Blocks blocks;                                   // what pack_blocks() makes the stored bytes of
  std::vector<std::span<const uint8_t>> metadata;  // views of the chunk, in the order of its metadata events
  size_t types = 0;                                // which of the metadata the types are taken from
  uint64_t raw_bytes = 0;                          // of the chunk, kept as they are
  double known_methods = 0;                        // of all, those that the lexicon has
};

// The content of the metadata event that the chunk's header points at; empty when there is none.
std::span<const uint8_t> metadata_content(std::span<const uint8_t> chunk);

// Nothing for bytes that are no chunk, or that would come back otherwise: it is tried. lexicons: of the chunk's bases.
// news: as of best_coding().
std::optional<CodedChunk> encode_chunk(std::span<const uint8_t> chunk, const LexiconSource& lexicons = {},
                                       NewCodings news = kAllCodings);
// The same; nothing, too, where the lexicon has a smaller share of the methods.
std::optional<CodedChunk> encode_chunk_if_known(std::span<const uint8_t> chunk, const LexiconSource& lexicons,
                                                NewCodings news, double known_methods);

// size: of the chunk. kCorrupt for blocks that encode_chunk() did not make of that metadata; takes no more memory than
// a chunk of that size justifies. learned: gets what its stacks have taught, for who is packed with it (Lexicon::of).
base::Result<std::vector<uint8_t>> decode_chunk(const Blocks& blocks,
                                                std::span<const std::span<const uint8_t>> metadata, uint64_t size,
                                                const LexiconSource& lexicons = {},
                                                std::optional<LearnedStacks>* learned = nullptr);

// The most bytes that the blocks of a chunk of that size may have.
constexpr uint64_t block_limit(uint64_t size) { return 10 * size + (1u << 20); }

}  // namespace jfr::archive
