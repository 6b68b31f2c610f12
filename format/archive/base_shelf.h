// SPDX-License-Identifier: Apache-2.0
// BaseShelf knows the chunks of an archive that others may be packed with: of each metadata the newest one that stands
// by itself, as chunks of the same metadata are of the same program, and the first few of that program that were packed
// with it. These have the names that it lacks: each run of a program meets other ones.
//
//   one chunk after the other    A         B         C           D          E
//   is packed with                         A         A B         A B C      A B C D, as all from here on
//
// Together they have no more than kMostBytes, so a chunk that is looked for alone is found soon; one that is as large as
// that is the only base. They serve some kMostUses chunks, so damage of one costs no more than these. Whether a chunk is
// of the program of its bases, its packer says: by the names that they have of its methods.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "format/archive/catalogue.h"

namespace jfr::archive {

class BaseShelf {
 public:
  static constexpr uint32_t kMostUses = 64;
  static constexpr uint32_t kGrowingUses = 16;  // after so many, no chunk is added to the bases
  static constexpr uint64_t kMostBytes = 8u << 20;

  // A chunk of the archive. metadata: the hash of its content.
  struct Chunk {
    uint64_t metadata = 0;
    BaseChunk place;
    uint64_t size = 0;
  };

  // What an archive has that is added to.
  explicit BaseShelf(const Catalogue& catalogue);

  // For a chunk of that metadata; none: there are none, or they have served.
  Bases of(uint64_t metadata) const;
  // Those of the program that stood by itself last.
  Bases newest() const { return fresh(newest_); }
  // Some chunk of that metadata was packed already: if with another program's bases, the next one stands by itself.
  bool knows(uint64_t metadata) const { return known_.contains(metadata); }
  // A chunk of that size that is packed with these may be the next of them.
  bool has_room(const Bases& bases, uint64_t size) const;

  // It stands by itself.
  void add(const Chunk& chunk);
  // It was packed with these, which an archive has also when their members were pruned. If it is of the same program, it
  // is the next of them as long as there is room.
  void use(const Chunk& chunk, const Bases& bases, bool same_program);

 private:
  struct Row {
    Bases bases;
    uint64_t bytes = 0;  // of their chunks
    uint32_t uses = 0;
  };
  Bases fresh(uint64_t first) const;

  size_t most_bases_;
  std::unordered_map<uint64_t, Row> rows_;        // by the first one's chunk
  std::unordered_map<uint64_t, uint64_t> known_;  // by metadata: the first one's chunk; 0: none yet
  uint64_t newest_ = 0;                           // likewise
};

}  // namespace jfr::archive
