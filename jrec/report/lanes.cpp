// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/lanes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jrec/flame/page_json.h"
#include "jrec/report/lane_list.h"

namespace jrec {

using jfr::read::Event;
using jfr::read::Type;

namespace {

// Three decimals are enough for what is a pixel.
void append_short_number(double value, std::string& out) {
  if (std::fabs(value) < 1e15 && value == std::floor(value))
    append_format(out, "{}", static_cast<int64_t>(value));
  else
    append_format(out, "{:.4g}", value);
}

}  // namespace

ReportLanes::ReportLanes(const ReportAxis& axis) : axis_(axis) {
  for (const LaneSeries& series : lane_series()) series_.push_back({&series, {}});
  for (const MarkKind& kind : mark_kinds()) marks_.push_back({&kind, {}, 0});
}

void ReportLanes::begin(CellReader& cells, const jfr::read::Chunk& chunk, uint32_t jvm) {
  jvm_ = jvm;
  empty_loads_.begin(cells, jvm);
  const LaneSpan here{axis_.bucket_of(chunk.header().start_ns), axis_.bucket_of(chunk.header().end_ns())};
  LaneSpan& recorded = recorded_.try_emplace(jvm, here).first->second;
  recorded = {std::min(recorded.from, here.from), std::max(recorded.to, here.to)};
  plans_.assign(chunk.metadata().types().size(), {});
  for (size_t index = 0; index < plans_.size(); ++index) {
    const Type& type = chunk.metadata().types()[index];
    for (size_t i = 0; i < series_.size(); ++i) {
      if (series_[i].what->type != type.name) continue;
      Bound bound{i, false, cells.bind("startTime", type), cells.bind(series_[i].what->field, type), {}, {}};
      if (bound.value.field >= 0) plans_[index].push_back(std::move(bound));
    }
    for (size_t i = 0; i < marks_.size(); ++i) {
      const MarkKind& kind = *marks_[i].what;
      if (kind.type != type.name) continue;
      const std::string_view length = kind.length.empty() ? "duration" : kind.length;
      Bound bound{i, true, cells.bind("startTime", type), {}, cells.bind(length, type), {}};
      for (const std::string_view word : kind.words)
        if (!word.empty()) bound.words.push_back(cells.bind(word, type));
      plans_[index].push_back(std::move(bound));
    }
  }
}

void ReportLanes::begin_counts(int64_t at_ns) {
  if (!axis_.range().holds(at_ns)) return;
  for (Series& series : series_)
    if (series.what->how == LaneSeries::How::kRate) add_value(series, at_ns, 0);
}

void ReportLanes::add(CellReader& cells, const Event& event, uint32_t index) {
  const Type& type = cells.fields().chunk().metadata().types()[index];
  for (Bound& bound : plans_[index]) {
    const int64_t at_ns = held_in_long(cells.read(event, type, bound.start).integer);
    if (bound.is_mark) {
      Mark mark{axis_.since_ms(at_ns), static_cast<double>(cells.read(event, type, bound.length).integer) / 1e6, {}};
      for (FieldPath& word : bound.words) {
        const Cell& cell = cells.read(event, type, word);
        const std::string text = cell.null() ? std::string() : show(cell, 0);
        if (!text.empty()) mark.text += (mark.text.empty() ? "" : ", ") + text;
      }
      add_mark(marks_[bound.series], std::move(mark));
      continue;
    }
    Series& series = series_[bound.series];
    if (type.name == kLoadType && empty_loads_.is_empty(jvm_, at_ns)) {
      series.by_jvm.try_emplace(jvm_);  // the page tells that it was looked at once
      continue;
    }
    const Cell& cell = cells.read(event, type, bound.value);
    if (!cell.number()) continue;
    if (series.what->how == LaneSeries::How::kSpread)
      spread(series, at_ns, held_in_long(cell.integer));
    else
      add_value(series, at_ns, static_cast<double>(cell.as_real()));
  }
}

void ReportLanes::add_rest(uint32_t index, int64_t at_ns, int64_t length_ns) {
  for (const Bound& bound : plans_[index])
    if (!bound.is_mark && series_[bound.series].what->how == LaneSeries::How::kSpread)
      spread(series_[bound.series], at_ns, length_ns);
}

// What is below zero is not known.
void ReportLanes::add_value(Series& series, int64_t at_ns, double value) {
  if (!std::isfinite(value) || value < 0) return;
  const auto [place, is_new] =
      series.by_jvm[jvm_].try_emplace(axis_.bucket_of(at_ns), LaneExtent{value, value, at_ns, value});
  LaneExtent& extent = place->second;
  extent.low = std::min(extent.low, value);
  extent.high = std::max(extent.high, value);
  if (at_ns >= extent.last_ns) extent.last_ns = at_ns, extent.last = value;
}

// Each bucket gets the part of it that the event took.
void ReportLanes::spread(Series& series, int64_t at_ns, int64_t length_ns) {
  if (length_ns <= 0) return;
  const auto bucket_ns = static_cast<double>(axis_.bucket_ns);
  const auto from = static_cast<double>(axis_.since_ns(at_ns));
  const double end = std::min(from + static_cast<double>(length_ns), static_cast<double>(axis_.duration_ns));
  for (auto bucket = static_cast<uint32_t>(from / bucket_ns); bucket * bucket_ns < end; ++bucket) {
    const double part = std::min(end, (bucket + 1) * bucket_ns) - std::max(from, bucket * bucket_ns);
    LaneExtent& extent = series.by_jvm[0][bucket];
    extent.last = extent.high = extent.low += part / bucket_ns;
  }
}

void ReportLanes::add_mark(Marks& marks, Mark mark) {
  marks.all.push_back(std::move(mark));
  if (marks.all.size() >= 2 * kMostMarks) keep_longest(marks);
}

void ReportLanes::keep_longest(Marks& marks) {
  if (marks.all.size() <= kMostMarks) return;
  std::ranges::stable_sort(marks.all, std::ranges::greater(), &Mark::length_ms);
  marks.left_out += marks.all.size() - kMostMarks;
  marks.all.resize(kMostMarks);
}

void ReportLanes::append_series(const Series& series, std::string& out) const {
  const LaneSeries& what = *series.what;
  std::map<uint32_t, LaneCourse> courses;
  for (const auto& [jvm, course] : series.by_jvm)
    courses[jvm] = what.how == LaneSeries::How::kRate ? rates_of(course) : course;
  const LaneCourse buckets = together(courses, recorded_, what.together);
  append_format(out, "{{\"lane\":\"{}\",\"title\":\"{}\",\"unit\":\"{}\",\"name\":\"{}\",\"style\":\"{}\"", what.lane,
                what.title, what.unit, what.name, what.style);
  uint32_t last = 0;
  append_list("at", buckets, out,
              [&](const auto& each) { append_format(out, "{}", each.first - std::exchange(last, each.first)); });
  append_list("low", buckets, out, [&](const auto& each) { append_short_number(each.second.low, out); });
  append_list("high", buckets, out, [&](const auto& each) { append_short_number(each.second.high, out); });
  append_list("last", buckets, out, [&](const auto& each) { append_short_number(each.second.last, out); });
  out += '}';
}

std::vector<ReportLanes::Series> ReportLanes::named_series() const {
  std::vector<Series> named;
  for (const Series& series : series_) {
    if (series.by_jvm.empty()) continue;
    const auto same = std::ranges::find_if(named, [&](const Series& each) {
      return each.what->lane == series.what->lane && each.what->name == series.what->name;
    });
    if (same == named.end()) {
      named.push_back(series);
      continue;
    }
    for (const auto& [jvm, course] : series.by_jvm)
      if (course.size() > same->by_jvm[jvm].size()) same->by_jvm[jvm] = course;
  }
  return named;
}

void ReportLanes::append_json(std::string& out) const {
  append_list("lanes", named_series(), out, [&](const Series& series) { append_series(series, out); });
  std::vector<Marks> marks = marks_;
  std::erase_if(marks, [](const Marks& each) { return each.all.empty(); });
  for (Marks& each : marks) {
    keep_longest(each);
    std::ranges::stable_sort(each.all, {}, &Mark::at_ms);
  }
  append_list("marks", marks, out, [&](const Marks& each) {
    append_format(out, "{{\"kind\":\"{}\",\"title\":\"{}\",\"left_out\":{}", each.what->kind, each.what->title,
                  each.left_out);
    append_list("at", each.all, out, [&](const Mark& mark) { append_format(out, "{:.3f}", mark.at_ms); });
    append_list("ms", each.all, out, [&](const Mark& mark) { append_format(out, "{:.3f}", mark.length_ms); });
    append_list("text", each.all, out, [&](const Mark& mark) { append_shown(mark.text, out); });
    out += '}';
  });
}

}  // namespace jrec
