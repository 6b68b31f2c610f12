// SPDX-License-Identifier: Apache-2.0
// FlameTimeline sums up samples by time, thread and stack, so that a page can show the flame graph of a part of them.
//
//   bucket of time:   0        1        2   ...          `rows` buckets are a column of the heatmap
//   entry:            { bucket, thread, state, node, weight }   equal ones are one
//
// While it is read buckets get longer and entries merge where there are more than kMostRead; then there are no more than
// stacks, which the tree has in memory, too. A page wants fewer: buckets get longer, down to kFewestBuckets, and what is
// left then goes by the number of frames and threads (folded_tree.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/growing_array.h"
#include "jrec/profile/sample_stream.h"

namespace jrec {

class FlameTimeline {
 public:
  static constexpr size_t kMaxEntries = 1'000'000;  // of a page
  static constexpr size_t kMostRead = 4'000'000;
  static constexpr uint32_t kFewestBuckets = 60;
  static constexpr uint32_t kMaxBuckets = 200'000;

  struct Entry {
    uint32_t bucket = 0, thread = 0, state = 0, node = 0;
    uint64_t weight = 0;
  };
  using Entries = base::GrowingArray<Entry>;

  // spread: a sample's weight is of the time from it on that it stands for, and each bucket gets its part; else of where it
  // begins.
  //
  // Of what is chosen of the recording: a strip of at most `buckets` bars.
  static FlameTimeline strip(const TimeRange& shown, uint32_t buckets, bool spread);
  // Columns of a second with `rows` cells; of ten, a minute, ten minutes for recordings of hours and days.
  static FlameTimeline heatmap(const TimeRange& shown, uint32_t rows, bool spread);
  // Buckets of that length, on an axis that several timelines may share.
  static FlameTimeline over(int64_t start_ns, uint64_t duration_ns, uint64_t bucket_ns, bool spread) {
    return FlameTimeline(start_ns, duration_ns, bucket_ns, 1, spread);
  }

  void add(const SampleChunk& chunk);
  // After the last chunk: instead of node n, node[n], sorted and merged. Buckets get longer until no more than so many
  // entries are left, but not fewer than kFewestBuckets.
  FlameTimeline renamed(const std::vector<uint32_t>& node, size_t most) const;
  void double_buckets();  // in length; behind that, for fewer entries

  int64_t start_ns() const { return start_ns_; }
  uint64_t duration_ns() const { return duration_ns_; }
  uint32_t rows() const { return rows_; }
  uint32_t buckets() const { return static_cast<uint32_t>(duration_ns_ / bucket_ns_) + 1; }
  uint64_t bucket_ns() const { return bucket_ns_; }
  const Entries& entries() const { return entries_; }

 private:
  FlameTimeline(int64_t start_ns, uint64_t duration_ns, uint64_t bucket_ns, uint32_t rows, bool spread);

  uint64_t since_ns(int64_t time_ns) const;
  uint32_t bucket_of(int64_t time_ns) const { return static_cast<uint32_t>(since_ns(time_ns) / bucket_ns_); }
  void add_parts(const TimedSample& sample);
  void merge();
  void coarsen();

  int64_t start_ns_;
  uint64_t duration_ns_, bucket_ns_;
  uint32_t rows_;
  Entries entries_;
  size_t merged_ = 0;  // entries when they were merged last
  bool spread_;
};

}  // namespace jrec
