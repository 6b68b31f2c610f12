// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/event_cells.h"

#include <algorithm>
#include <cmath>

#include "jrec/base/columns.h"
#include "jrec/values/whole.h"

namespace jrec {

const Cell& EventCells::cell(std::string_view path) {
  for (auto& [name, bound] : paths_)
    if (name == path) return reader_.read(event_, type_, bound);
  return reader_.read(event_, type_, paths_.emplace_back(path, reader_.bind(path, type_)).second);
}

double EventCells::number(std::string_view path, double missing) {
  const Cell& value = cell(path);
  if (!value.number()) return missing;
  const auto real = static_cast<double>(value.as_real());
  return std::isfinite(real) ? real : missing;
}

int64_t EventCells::integer(std::string_view path, int64_t missing) {
  const Cell& value = cell(path);
  return value.kind == Cell::Kind::kInteger ? held_in_long(value.integer) : missing;
}

double EventCells::length_ns() {
  const double length_ns = number("duration");
  if (shown_.everything() || length_ns <= 0) return length_ns;
  const auto begin_ns = static_cast<double>(integer("startTime"));
  return std::max(0.0, std::min(begin_ns + length_ns, static_cast<double>(shown_.to_ns)) -
                           std::max(begin_ns, static_cast<double>(shown_.from_ns)));
}

TimeRange EventCells::all_of_it() {
  constexpr int64_t kLatest_ns = 4'000'000'000'000'000'000;
  constexpr double kLongest_ns = 1e18;
  const int64_t from_ns = std::clamp<int64_t>(integer("startTime"), 0, kLatest_ns);
  return {from_ns, from_ns + static_cast<int64_t>(std::clamp(number("duration"), 0.0, kLongest_ns))};
}

bool EventCells::is_shown() { return shown_.holds(integer("startTime")) || length_ns() > 0; }

std::string EventCells::text(std::string_view path) {
  std::string text = whole_text(path);
  if (text.size() <= kMostText) return text;
  size_t end = kMostText;
  while (end > 0 && !begins_character(text[end])) --end;
  text.resize(end);
  return text;
}

std::string EventCells::identity(std::string_view path) {
  const Cell& value = cell(path);
  return value.null() || (value.text.empty() && value.integer == 0) ? "" : value.identity();
}

int64_t EventCells::thread_number(std::string_view path) {
  const Cell& value = cell(path);
  return value.kind == Cell::Kind::kText ? held_in_long(value.integer) : 0;
}

std::string EventCells::whole_text(std::string_view path) {
  const Cell& value = cell(path);
  return value.kind == Cell::Kind::kText ? value.text : "";
}

}  // namespace jrec
