// SPDX-License-Identifier: Apache-2.0
// CellReader takes cells out of the events of one chunk. A FieldPath says which:
//
//   duration            a field              heapSpace.start     a field of a struct
//   @type  @name        the event's own type: its label, its name
//   stackTrace          the method on top    stackTrace.@line    its line       stackTrace.@bci   its bytecode index
//   stackTrace.@site    the topmost method that is not one of the JDK's own (java.*, jdk.*, sun.*)
//   stackTrace.@thrower the topmost method that is no constructor: exceptions are made by theirs
//   stackTrace.@throw_site  the topmost one that is neither
//   stackTrace.@java    the topmost method that is Java's, and no native code
//   id.@label           the label of the event type that has this number
//
// What hangs on a constant is read once per constant and chunk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_table.h"
#include "jrec/values/field_time.h"
#include "jrec/values/field_value.h"
#include "jrec/view/cell.h"

namespace jrec {

// A path as it is for one event type of one chunk, with the constants that were read.
struct FieldPath {
  static constexpr uint32_t kNowhere = 0xffffffff;

  std::vector<std::string> names;
  int field = -1;         // of the event's type; -1: it has none such
  bool constant = false;  // on the wire: a key, by which it is remembered
  jfr::read::KeyTable<uint32_t> places;
  std::vector<Cell> known;
  uint32_t place = kNowhere;  // in known, of what was read last; kNowhere: it is no constant
  Cell fresh;                 // what was read last, if it is no constant
};

class CellReader {
 public:
  CellReader(jfr::read::Chunk& chunk, const jfr::read::Clock& clock);

  FieldPath bind(std::string_view path, const jfr::read::Type& type) const;
  // Good until the path is read again.
  const Cell& read(const jfr::read::Event& event, const jfr::read::Type& type, FieldPath& path);

  // Null for an array, and for a struct that has no short text.
  Cell cell_of(const FieldValue& value);
  // The value itself; null where there is none.
  FieldValue value_of(const jfr::read::Event& event, const jfr::read::Type& type, const FieldPath& path);

  int64_t end_ns(const jfr::read::Event& event, const jfr::read::Type& type);  // start and duration; 0 without
  int32_t utc_offset_s() const { return utc_offset_s_; }
  FieldReader& fields() { return fields_; }

 private:
  Cell read_value(const jfr::read::Event& event, const jfr::read::Type& type, const FieldPath& path);
  Cell number(const FieldValue& value);
  int64_t thread_id(const FieldValue& thread);
  Cell label_cell(const FieldValue& id);
  Cell frame_cell(const FieldValue& stack, std::string_view what);
  FieldValue frame_of(const FieldValue& stack, std::string_view what);
  bool is_passed_over(const FieldValue& frame, std::string_view what);
  std::string method_text(const FieldValue& method);

  FieldReader fields_;
  jfr::read::Clock clock_;
  int32_t utc_offset_s_;
};

// The label of a type or a field, its name where it has none.
std::string label_of(const jfr::read::Type& type);
std::string label_of(const jfr::read::Field& field);

}  // namespace jrec
