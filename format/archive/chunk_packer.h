// SPDX-License-Identifier: Apache-2.0
// ChunkPacker makes the pieces of a file's chunks, and decides which chunk of the archive each is packed with:
//
//   the bases of its metadata     if there are some that have not served long enough
//   the newest bases of all       if its metadata is new, and that saves kWorthIt; else it stands by itself
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "format/archive/archive_writer.h"
#include "format/archive/base_reader.h"
#include "format/archive/base_shelf.h"
#include "format/archive/chunk_codec.h"
#include "format/archive/event_times.h"

namespace jfr::archive {

struct PackedChunk {
  std::vector<uint8_t> piece;
  std::vector<std::span<const uint8_t>> metadata;  // of its chunks; none: the bytes are kept as they are
  uint64_t key = 0;           // hash of the metadata that the types are taken from; 0: it is no base
  Bases bases;                // what it is packed with
  bool same_program = false;  // as these
  size_t types = 0;           // which of the metadata the types are taken from
  EventReach reach;
};

class ChunkPacker {
 public:
  ChunkPacker(ArchiveWriter& writer, int level) : writer_(writer), level_(level), shelf_(writer.catalogue()) {}

  // Its bases are known, and stay as they are: chunks like that may be packed side by side.
  bool is_ready(std::span<const uint8_t> chunk) const;

  // Any thread.
  PackedChunk pack(std::span<const uint8_t> chunk);
  PackedChunk pack_bytes(std::span<const uint8_t> bytes) const;

  // What was packed becomes a part of the archive. One thread; others may pack meanwhile.
  base::Result<Part> write(const PackedChunk& packed);

  // What was written may be the base of what is packed from now on. Nobody packs meanwhile.
  void learn();

 private:
  ReadyBase blocks_of(const Bases& bases);
  SharedLexicon lexicon_of(const Bases& bases);
  std::optional<PackedChunk> pack_old_chunks(std::span<const uint8_t> bytes) const;
  NewCodings news() const { return codings_of(writer_.catalogue().version); }
  bool tells_program() const { return writer_.catalogue().version >= kSeveralBasesVersion; }
  // A chunk that was taken apart.
  struct Columns {
    CodedChunk coded;
    Bases bases;            // what it is to be packed with
    ReadyBase base_blocks;  // of these, or words; null: nothing
  };
  // Nothing: there are no such bases, or they know a smaller share of its methods.
  std::optional<Columns> columns_with(const Bases& bases, std::span<const uint8_t> chunk, double known_methods = 0);
  std::optional<Columns> columns_alone(std::span<const uint8_t> chunk) const;
  std::optional<Columns> choose(std::span<const uint8_t> chunk, uint64_t key);
  static std::vector<uint8_t> packed(const Columns& columns, int level);
  static PieceCoding coding_of(const Columns& columns);

  ArchiveWriter& writer_;
  const int level_;
  BaseShelf shelf_;
  BaseReader bases_;
  struct Written {
    BaseShelf::Chunk chunk;
    Bases bases;
    bool same_program;
  };
  std::vector<Written> written_;  // not learned yet
};

}  // namespace jfr::archive
