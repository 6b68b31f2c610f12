// SPDX-License-Identifier: Apache-2.0
// ConstantMeaning says what constants of one chunk mean as one number each: their bytes, with what they name in place of its key. Two chunks may
// number their symbols or thread groups differently, and mean the same. Hashes are of this process only. Not thread safe.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"

namespace jrec {

class ConstantMeaning {
 public:
  explicit ConstantMeaning(jfr::read::Chunk& chunk) : chunk_(chunk) {}

  // Of the value of such a type that stands at [at, end).
  uint64_t of(const jfr::read::Type& type, uint64_t at, uint64_t end) { return of(type, at, end, 0); }

 private:
  // Deeper than any chain of the JDK's own types (a stack's frame, method, class, package, module, symbol); where a chain is longer, or a circle, the
  // key itself counts.
  static constexpr int kDeepest = 12;

  uint64_t of(const jfr::read::Type& type, uint64_t at, uint64_t end, int depth);
  uint64_t named(uint32_t type, uint64_t key, int depth);

  jfr::read::Chunk& chunk_;
  std::unordered_map<uint64_t, uint64_t, jfr::read::KeyHash> known_;  // by type and key
};

}  // namespace jrec
