// SPDX-License-Identifier: Apache-2.0
// EventCells is one event under the eyes of those who gather facts: its fields by path (view/cell_reader.h), in base units.
//
//   EventCells event(reader, type);   once a chunk and event type: what hangs on a constant is read once
//   event.at(walked);                 each event
//   event.number("duration")          ns, bytes, a share of one, a count; what is missing is `missing`
//   event.text("stackTrace.@site")    what is missing is ""
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "jrec/input/recording_span.h"
#include "jrec/view/cell_reader.h"

namespace jrec {

class EventCells {
 public:
  // shown: of what lasts the part in it is told.
  EventCells(CellReader& reader, const jfr::read::Type& type, const TimeRange& shown)
      : reader_(reader), type_(type), shown_(shown) {}

  void at(const jfr::read::Event& event) { event_ = event; }

  double number(std::string_view path, double missing = 0);
  int64_t integer(std::string_view path, int64_t missing = 0);
  static constexpr size_t kMostText = 4096;
  std::string text(std::string_view path);        // of a name: what is longer is cut, for rankings keep many
  std::string whole_text(std::string_view path);  // of a command line, a thread dump
  std::string identity(std::string_view path);    // tells threads of one name apart; empty: there is none
  int64_t thread_number(std::string_view path);  // tells threads of a JVM apart, whatever their names; 0: there is none
  int64_t start_ns() { return std::max(integer("startTime"), shown_.from_ns); }
  double length_ns();
  bool is_shown();        // some of it
  TimeRange all_of_it();  // its own time, whatever is chosen; no time that overflows
  const TimeRange& shown() const { return shown_; }

 private:
  const Cell& cell(std::string_view path);

  CellReader& reader_;
  const jfr::read::Type& type_;
  const TimeRange shown_;
  jfr::read::Event event_;
  std::deque<std::pair<std::string_view, FieldPath>> paths_;  // that were asked for; of literals
};

}  // namespace jrec
