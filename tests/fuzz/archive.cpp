// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever an archive holds, reading it must neither crash nor hang nor take memory out of proportion. Hashes
// would keep most damage from the code behind them, so that is given its bytes directly.   fuzz_archive -max_len=20000 CORPUS
//
// The first byte chooses what the rest is.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "format/archive/catalogue.h"
#include "format/archive/chunk_codec.h"
#include "format/archive/chunk_model.h"
#include "format/archive/metadata_codec.h"
#include "format/archive/old_chunk_codec.h"
#include "format/archive/part_reader.h"
#include "format/archive/words.h"

namespace {

using namespace jfr::archive;
using jfr::archive::PartReader;
using Bytes = std::span<const uint8_t>;

void must(bool holds) {
  if (!holds) std::abort();
}

void archive(Bytes bytes) {
  jfr::read::Problems problems;
  const ArchiveBytes archive(bytes);
  const auto catalogue = Catalogue::read(archive, problems);
  if (!catalogue) return;
  PartReader parts(archive);
  for (const Member& member : catalogue->members)
    for (const Part& part : member.parts)
      if (const auto content = parts.read(part)) must(content->size() == part.size);
}

// The first byte says how many changes follow: two bytes where, one what is flipped there. Then comes a chunk.
struct Changes {
  Bytes changes, chunk;

  explicit Changes(Bytes bytes) {
    const size_t count = bytes.empty() ? 0 : std::min<size_t>(bytes[0] % 16, (bytes.size() - 1) / 3);
    changes = bytes.empty() ? bytes : bytes.subspan(1, 3 * count);
    chunk = bytes.empty() ? bytes : bytes.subspan(1 + 3 * count);
  }
  // A block each time; the places go on from one to the next.
  void apply(std::vector<uint8_t>& block, size_t& from) const {
    for (size_t i = 0; i < changes.size(); i += 3) {
      const size_t at = changes[i] | changes[i + 1] << 8;
      if (at >= from && at - from < block.size()) block[at - from] ^= changes[i + 2];
    }
    from += block.size();
  }
  void apply(Blocks& blocks) const {
    size_t from = 0;
    apply(blocks.front, from);
    apply(blocks.texts, from);
    for (auto& [stream, block] : blocks.large) apply(block, from);
    apply(blocks.modelled, from);
  }
};

void chunk(Bytes bytes) {
  const Changes input(bytes);
  auto coded = encode_chunk(input.chunk);
  if (!coded) return;
  input.apply(coded->blocks);
  const auto decoded = decode_chunk(coded->blocks, coded->metadata, input.chunk.size());
  if (decoded) must(decoded->size() == input.chunk.size());
}

void metadata(Bytes bytes) {
  const Changes input(bytes);
  const auto packed = encode_metadata(input.chunk);
  if (!packed) return;
  const Blocks* const words = metadata_words().blocks.get();
  auto blocks = unpack_blocks(*packed, block_limit(input.chunk.size()), words);
  must(blocks.has_value());
  input.apply(*blocks);
  const auto decoded = decode_metadata(pack_blocks(*blocks, 1, words), input.chunk.size(), words);
  if (decoded) must(decoded->size() == input.chunk.size());
}

std::shared_ptr<const Lexicon> lexicon_of(const CodedChunk& coded, uint64_t size,
                                          const std::shared_ptr<const Lexicon>& before = nullptr) {
  const auto types = metadata_of(coded.metadata[coded.types]);
  return types ? Lexicon::of(coded.blocks, *types, value_limit(size), before) : nullptr;
}

// A chunk with its own names, changed; and with names out of columns that were, and of such behind others.
void names(Bytes bytes) {
  const Changes input(bytes);
  const uint64_t size = input.chunk.size();
  auto base = encode_chunk(input.chunk);
  if (!base) return;
  auto lexicon = lexicon_of(*base, size);
  const LexiconSource source = [&] { return lexicon; };
  auto coded = encode_chunk(input.chunk, source);
  must(coded.has_value());
  input.apply(coded->blocks);
  const auto decoded = decode_chunk(coded->blocks, coded->metadata, size, source);
  if (decoded) must(decoded->size() == size);
  const auto both = lexicon_of(*coded, size, lexicon);
  const auto of_both = encode_chunk(input.chunk, [&] { return both; });
  must(of_both.has_value() && decode_chunk(of_both->blocks, of_both->metadata, size, [&] { return both; }).ok());
  input.apply(base->blocks);
  lexicon = lexicon_of(*base, size);
  must(encode_chunk(input.chunk, source).has_value());
}

// The same of chunks of version 0.9.
void old_chunks(Bytes bytes) {
  const Changes input(bytes);
  auto coded = encode_old_chunks(input.chunk);
  if (!coded) return;
  input.apply(coded->blocks);
  const auto decoded = decode_old_chunks(coded->blocks, coded->metadata, input.chunk.size());
  if (decoded) must(decoded->size() == input.chunk.size());
}

// What goes in comes out: encode_chunk() says so itself, or declines.
void round_trip(Bytes bytes) { (void)encode_chunk(bytes); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Bytes rest(data + 1, size - 1);
  switch (data[0] % 7) {
    case 0: archive(rest); break;
    case 1: chunk(rest); break;
    case 2: metadata(rest); break;
    case 3: (void)read_member(rest); break;
    case 4: round_trip(rest); break;
    case 5: names(rest); break;
    default: old_chunks(rest); break;
  }
  return 0;
}
