// SPDX-License-Identifier: Apache-2.0
// ThrownNote says in words how many exceptions were thrown, where a recording has events of some of them only:
//
//   2,562 of 751,940 thrown: jdk.JavaExceptionThrow is throttled to 300/s
//
// JDK 25 writes so many a second at most, while jdk.ExceptionStatistics counts all. What events weigh tells nobody there; rec's
// own events do, and need no note. Of several JVMs those alone count that have such events.
//
//   begin(chunk) -> add(event) ... -> begin(next chunk) -> ... -> words()
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/select/time_range.h"
#include "jrec/values/jvm_numbers.h"
#include "jrec/view/cell_reader.h"
#include "jrec/view/growth_by_jvm.h"

namespace jrec {

class ThrownNote {
 public:
  void begin(const CellReader& cells, jfr::read::Chunk& chunk, const TimeRange& range);
  bool wants(uint32_t type) const { return type < takes_.size() && takes_[type] != Takes::kNothing; }
  void add(CellReader& cells, const jfr::read::Event& event, uint32_t type);

  std::string words() const;  // empty: as many were thrown as there are events, or nobody knows
  // Under what counts from the first look at the statistics to the last: how many there were with those before. Empty: as many.
  std::string words_before_looks() const;

 private:
  enum class Takes : uint8_t { kNothing, kThrown, kStatistics, kSetting };
  void add_setting(CellReader& cells, const jfr::read::Event& event, const jfr::read::Type& type);

  std::vector<Takes> takes_;  // by index of the chunk's types
  FieldPath at_, throwables_, id_, name_, value_;
  int64_t thrown_type_ = 0;  // its id in the chunk
  JvmNumbers jvms_;
  uint32_t jvm_ = 0;
  std::map<uint32_t, uint64_t> written_;  // by JVM
  GrowthByJvm all_;
  GrowthByJvm looked_at_;  // likewise, without the beginning of a JVM, at which nobody looked
  std::string throttle_;   // as it is written, 300/s; empty: none
};

}  // namespace jrec
