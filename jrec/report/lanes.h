// SPDX-License-Identifier: Apache-2.0
// ReportLanes is what the overview draws beside samples: numbers over time, by bucket of the axis, and marks of what happened.
//
//   lane "heap":  used       bucket 3: 20..41 MB, bucket 9: 12..12 MB ...         the least, the most and the last of each bucket that has any
//   lane "waits": monitors   how many threads waited, on average                  from events with a duration, spread over their time
//   several JVMs: a course of values for each, added up (lane_course.h)
//   marks "late": 3.2 s, 41 ms, "G1CollectForAllocation, 2 threads"
//
// On the page:
//
//   "lanes":[{"lane","title","unit","name","style","at":[...],"low":[...],"high":[...],"last":[...]}...]    a series each; "at": buckets after the one before
//   "marks":[{"kind","title","left_out","at":[...],"ms":[...],"text":[...]}...]                "at", "ms": milliseconds since the start, of length
//
// Of marks the longest kMostMarks of a kind are kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/report/axis.h"
#include "jrec/report/lane_course.h"
#include "jrec/view/cell_reader.h"
#include "jrec/view/empty_loads.h"

namespace jrec {

class ReportLanes {
 public:
  static constexpr size_t kMostMarks = 2000;

  explicit ReportLanes(const ReportAxis& axis);

  // jvm: whose chunk it is (jvm_numbers.h).
  void begin(CellReader& cells, const jfr::read::Chunk& chunk, uint32_t jvm = 0);
  void begin_counts(int64_t at_ns);  // behind it, where its JVM began then: what that counts was 0
  bool wants(uint32_t type) const { return type < plans_.size() && !plans_[type].empty(); }
  void add(CellReader& cells, const jfr::read::Event& event, uint32_t type);
  void add_rest(uint32_t type, int64_t at_ns, int64_t length_ns);  // of one that began before the axis does

  void append_json(std::string& out) const;

 private:
  struct Bound {
    size_t series = 0;  // in series_, or in marks_
    bool is_mark = false;
    FieldPath start, value, length;
    std::vector<FieldPath> words;
  };
  struct Series {
    const LaneSeries* what;
    std::map<uint32_t, LaneCourse> by_jvm;  // what is spread is of the first
  };
  struct Mark {
    double at_ms = 0, length_ms = 0;
    std::string text;
  };
  struct Marks {
    const MarkKind* what;
    std::vector<Mark> all;
    uint64_t left_out = 0;
  };

  void add_value(Series& series, int64_t at_ns, double value);
  void spread(Series& series, int64_t at_ns, int64_t length_ns);
  void add_mark(Marks& marks, Mark mark);
  static void keep_longest(Marks& marks);
  // Of those of one name, of each JVM the one that tells more.
  std::vector<Series> named_series() const;
  void append_series(const Series& series, std::string& out) const;

  const ReportAxis axis_;
  uint32_t jvm_ = 0;                       // of the chunk
  std::map<uint32_t, LaneSpan> recorded_;  // by JVM
  EmptyLoads empty_loads_;                 // are not drawn
  std::vector<Series> series_;
  std::vector<Marks> marks_;
  std::vector<std::vector<Bound>> plans_;  // by index of the chunk's types
};

}  // namespace jrec
