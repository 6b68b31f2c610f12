// SPDX-License-Identifier: Apache-2.0
// A View is a table that is declared and not programmed: which events, told apart by what, added up how.
//
//   {.name = "contention-by-class", .types = {"jdk.JavaMonitorEnter"},
//    .columns = {{"Lock Class", kKey, "monitorClass"}, {"Count", kCount}, {"Max.", kMax, "duration"}},
//    .order = 1, .limit = 25}
//
//   a column with kKey         one row for each combination of the keys
//   else one with kValue       one row for each event
//   else                       one row
//
// Fields are written as cell_reader.h has them. An event whose type lacks a field leaves that column as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jrec {

enum class Aggregate : uint8_t {
  kKey,
  kValue,
  kCount,
  kSum,
  kShareOfSum,    // of all rows, those not shown included
  kShareOfLast,   // the same, of the last values: where each event tells all since the beginning
  kShareOfCount,  // the same, of the number of events
  kMin,
  kMax,
  kAverage,
  kMedian,
  kP90,
  kP95,
  kP99,
  kP999,
  kFirst,
  kLast,
  kDiff,    // the last less the first
  kUnique,  // how many different values
};

struct Column {
  std::string caption;  // empty: not shown, only told apart or ordered by
  Aggregate aggregate = Aggregate::kValue;
  std::string field;
  std::string type;       // events of these types only, with commas between; empty: of all of the view's
  std::string when;       // "field=value": only events that have this value
  bool required = false;  // rows without it are dropped; event types without the field do not count
};

enum class Section : uint8_t { kJvm, kEnvironment, kApplication, kRec, kEventType };

inline constexpr int kNoOrder = -1;

struct View {
  std::string name;   // as it is asked for
  std::string title;  // over the table
  std::string what;   // a line for the list
  Section section = Section::kApplication;
  std::vector<std::string> types;  // none: all
  std::vector<Column> columns;
  int order = kNoOrder;    // the column to order by; otherwise rows stand in the order of their first event
  bool ascending = false;  // the smallest first
  size_t limit = 0;        // rows; 0: all
  bool form = false;       // a caption and a value a line; for views of one row, or a few
  bool newest = false;  // only rows that the newest event of the view belongs to: a list that is written periodically
  // Tells what is true of one JVM: of several, rows of each, behind which one it is. A form has one of each, N/A of those that have no
  // such events.
  bool each_jvm = false;
  std::string when;  // "field=value" or "field!=value", for all events of the view
};

}  // namespace jrec
