// SPDX-License-Identifier: Apache-2.0
// OldColumns are the columns that events and constants of version 0.9 go to (format/old/description.h). All numbers there
// have a fixed width, and texts and arrays say how long they are: a value is as its description says, and follows from
// its numbers, lengths and counts.
//
//   monitor_enter { end, start, thread, stack, klass u64, address u64 }     a stream of numbers each
//   UTFConstant   { key, text }                                             keys; lengths and bytes
//   StackTrace    { key, truncated, frames[] { method, line, bci, type } }  keys; flags; counts, and old_frames.h
//
// A type has the same columns in all chunks of a piece that describe it alike. They are made when it is met first, and
// are kMost at the most: of what would need more, nothing is taken apart.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "format/archive/stream.h"
#include "format/old/description.h"

namespace jfr::archive {

// A field of a structure, or what an array has of each element.
struct OldColumn {
  enum class Kind : uint8_t { kNumber, kText, kStruct, kArray, kStack };
  Kind kind = Kind::kNumber;
  uint8_t width = 0;             // bytes of a number, of a text's length, or of an array's count
  uint8_t unit = 0;              // bytes of a text's characters
  uint32_t numbers = 0;          // stream of numbers, lengths or counts
  uint32_t bytes = 0;            // of a text
  std::vector<OldColumn> inner;  // of a struct, or of each element of an array; of a stack's frames the widths alone
};

struct OldEventColumns {
  uint32_t ends = 0, starts = 0, threads = 0, stacks = 0;  // streams; what the type does not have is not used
  std::vector<OldColumn> fields;
};

struct OldPoolColumns {
  uint32_t keys = 0;
  uint64_t last_key = 0;
  std::vector<OldColumn> fields;
};

class OldColumns {
 public:
  static constexpr uint32_t kMost = 1u << 14;  // streams; WebLogic's recordings have 3,000

  explicit OldColumns(Streams& streams) : streams_(streams) {}

  // By place in the description; nullptr: it is none whose values can be taken apart.
  OldEventColumns* event(const old::Description& description, uint32_t index);
  OldPoolColumns* pool(const old::Description& description, uint32_t index);

 private:
  bool has_room(const old::Structure& structure) const;
  OldColumn column(const old::Description& description, const old::Field& field);
  OldColumn plain(old::DataType type);
  OldColumn stack(const old::Description& description, const old::Field& field);
  std::vector<OldColumn> fields(const old::Description& description, uint32_t structure);
  uint32_t numbers() { return ++made_, streams_.add_numbers(); }

  Streams& streams_;
  uint32_t made_ = 0;
  std::map<std::string, OldEventColumns> events_;  // by what is said of them
  std::map<std::string, OldPoolColumns> pools_;
};

}  // namespace jfr::archive
