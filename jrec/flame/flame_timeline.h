// SPDX-License-Identifier: Apache-2.0
// FlameTimeline sums up samples by time, thread and stack, so that a page can show the flame graph of a part of them.
//
//   bucket of time:   0        1        2   ...          `rows` buckets are a column of the heatmap
//   entry:            { bucket, thread, state, node, weight }   equal ones are one
//
// Bounded by kMaxEntries: when there are more, buckets get longer and entries merge. If that does not help, because
// there are as many stacks and threads, the timeline is given up: none().
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_vector.h"
#include "jrec/profile/sample_stream.h"

namespace jrec {

class FlameTimeline {
 public:
  static constexpr size_t kMaxEntries = 1'000'000;
  static constexpr uint32_t kMaxBuckets = 200'000;

  struct Entry {
    uint32_t bucket = 0, thread = 0, state = 0, node = 0;
    uint64_t weight = 0;
  };
  using Entries = base::LargeVector<Entry>;

  // Of what is chosen of the recording: a strip of at most `buckets` bars.
  static FlameTimeline strip(const TimeRange& shown, uint32_t buckets);
  // Columns of a second with `rows` cells; of ten, a minute, ten minutes for recordings of hours and days.
  static FlameTimeline heatmap(const TimeRange& shown, uint32_t rows);
  // Buckets of that length, on an axis that several timelines may share. spread: a sample's weight is of the time from it
  // on that it stands for, and each bucket gets its part; else of where it begins.
  static FlameTimeline over(int64_t start_ns, uint64_t duration_ns, uint64_t bucket_ns, bool spread) {
    FlameTimeline timeline(start_ns, duration_ns, bucket_ns, 1);
    timeline.spread_ = spread;
    return timeline;
  }

  void add(const SampleChunk& chunk);
  void finish(size_t most = kMaxEntries);  // after the last chunk: sorts and merges, until no more entries are left
  void double_buckets();                   // in length; behind that, for fewer entries
  // Instead of node n, node[n]; before finish().
  void rename_nodes(const std::vector<uint32_t>& node);

  int64_t start_ns() const { return start_ns_; }
  uint64_t duration_ns() const { return duration_ns_; }
  bool none() const { return none_; }
  uint32_t rows() const { return rows_; }
  uint32_t buckets() const { return static_cast<uint32_t>(duration_ns_ / bucket_ns_) + 1; }
  uint64_t bucket_ns() const { return bucket_ns_; }
  const Entries& entries() const { return entries_; }

 private:
  FlameTimeline(int64_t start_ns, uint64_t duration_ns, uint64_t bucket_ns, uint32_t rows);

  uint64_t since_ns(int64_t time_ns) const;
  uint32_t bucket_of(int64_t time_ns) const { return static_cast<uint32_t>(since_ns(time_ns) / bucket_ns_); }
  void add_parts(const TimedSample& sample);
  void merge(size_t most);
  void coarsen();

  int64_t start_ns_;
  uint64_t duration_ns_, bucket_ns_;
  uint32_t rows_;
  Entries entries_;
  size_t merged_ = 0;  // entries when they were merged last
  bool none_ = false;
  bool spread_ = false;
};

}  // namespace jrec
