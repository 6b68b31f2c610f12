// SPDX-License-Identifier: Apache-2.0
// LooksNote says in words how many of the waits in a table are none: rec looks at parked and sleeping virtual threads now and then
// (docs/locks.md), and what such looks tell adds up to what was waited; neither their number nor their length is that of waits.
//
//   begin(chunk) -> add(event) ... -> begin(next chunk) -> ... -> words()
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/view/cell_reader.h"

namespace jrec {

class LooksNote {
 public:
  void begin(const CellReader& cells, const jfr::read::Chunk& chunk);
  bool wants(uint32_t type) const { return type < is_virtual_.size() && is_virtual_[type].field >= 0; }
  void add(CellReader& cells, const jfr::read::Event& event, uint32_t type);

  std::string words() const;  // empty: there are none

 private:
  std::vector<FieldPath> is_virtual_;  // by index of the chunk's types
  uint64_t looks_ = 0, waits_ = 0;
};

}  // namespace jrec
