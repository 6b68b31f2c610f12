// SPDX-License-Identifier: Apache-2.0
// BaseShelf knows the chunks of an archive that others may be packed with: of each metadata the newest one that stands
// by itself, as chunks of the same metadata are of the same program. A base has no base, so one piece more is all that
// is read for a chunk; and it serves some kMostUses chunks, so its damage costs no more than these.
//
// A chunk is named by where its piece begins, metadata by the hash of its content.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "format/archive/catalogue.h"

namespace jfr::archive {

class BaseShelf {
 public:
  static constexpr uint32_t kMostUses = 64;

  struct Base {
    uint64_t chunk = 0;     // 0: there is none, or it has served
    uint64_t metadata = 0;  // where the piece of the metadata begins that its columns are read by
  };

  // What an archive has that is added to.
  explicit BaseShelf(const Catalogue& catalogue);

  // For a chunk of that metadata.
  Base of(uint64_t metadata) const;
  // Whatever was added last.
  Base newest() const { return fresh(newest_); }
  // Some chunk of that metadata was packed already: if it was with another's base, the next one stands by itself.
  bool knows(uint64_t metadata) const { return known_.contains(metadata); }

  void add(uint64_t metadata, const Base& base);
  void use(uint64_t metadata, uint64_t base);

 private:
  Base fresh(const Base& base) const;

  std::unordered_map<uint64_t, Base> known_;     // by metadata; no chunk: none yet
  std::unordered_map<uint64_t, uint32_t> uses_;  // by chunk
  Base newest_;
};

}  // namespace jfr::archive
