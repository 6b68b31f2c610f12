// SPDX-License-Identifier: Apache-2.0
// RecordedLanes knows of which lanes of the overview a recording says that it records what they show, so that the page can tell
// what did not happen from what was not recorded.
//
// On the page:   "recorded":["lock waits","safepoints"...]      names of report_lanes.js
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "format/reader/chunk.h"
#include "jrec/view/cell_reader.h"

namespace jrec {

class RecordedLanes {
 public:
  void begin(const jfr::read::Chunk& chunk);
  bool wants(uint32_t type) const { return type == setting_; }
  void add(CellReader& cells, const jfr::read::Event& event, uint32_t type);

  void append_json(std::string& out) const;

 private:
  uint32_t setting_ = jfr::read::kNoType;  // jdk.ActiveSetting of the chunk
  std::set<std::string, std::less<>> types_;
};

}  // namespace jrec
