// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/flame_timeline.h"

#include <algorithm>
#include <tuple>

namespace jrec {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kMostColumns = 3600;
constexpr uint64_t kMillisecond = 1'000'000;

// The smallest factor above 1 that the rows of a column can be divided by.
uint32_t smallest_factor(uint32_t rows) {
  for (uint32_t factor = 2; factor < rows; ++factor)
    if (rows % factor == 0) return factor;
  return std::max(rows, uint32_t{2});
}

}  // namespace

FlameTimeline::FlameTimeline(const SampleStream& stream, uint64_t bucket_ns, uint32_t rows)
    : start_ns_(stream.start_ns()), duration_ns_(stream.duration_ns()), bucket_ns_(bucket_ns), rows_(rows) {
  while (duration_ns_ / bucket_ns_ >= kMaxBuckets) coarsen();
}

FlameTimeline FlameTimeline::strip(const SampleStream& stream, uint32_t buckets) {
  const uint64_t wanted = stream.duration_ns() / buckets / kMillisecond + 1;
  return FlameTimeline(stream, wanted * kMillisecond, 1);
}

FlameTimeline FlameTimeline::heatmap(const SampleStream& stream, uint32_t rows) {
  uint64_t column = kSecond;
  for (const uint64_t factor : {10, 6, 10, 6, 24})
    if (stream.duration_ns() / column > kMostColumns) column *= factor;
  return FlameTimeline(stream, column / rows, rows);
}

uint32_t FlameTimeline::bucket_of(int64_t time_ns) const {
  int64_t since = 0;
  if (time_ns <= start_ns_ || __builtin_sub_overflow(time_ns, start_ns_, &since)) return 0;
  return static_cast<uint32_t>(std::min(static_cast<uint64_t>(since), duration_ns_) / bucket_ns_);
}

void FlameTimeline::add(const SampleChunk& chunk) {
  if (none_) return;
  for (const TimedSample& sample : chunk.samples) {
    if (sample.weight == 0) continue;
    entries_.push_back({bucket_of(sample.time_ns), sample.thread, sample.node, sample.weight});
    if (entries_.size() >= merged_ + kMaxEntries) merge();
    if (none_) return;
  }
}

void FlameTimeline::finish() {
  if (!none_) merge();
}

void FlameTimeline::merge() {
  for (;;) {
    const auto place = [](const Entry& entry) { return std::tie(entry.bucket, entry.thread, entry.node); };
    std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) { return place(a) < place(b); });
    size_t kept = 0;
    for (const Entry& entry : entries_) {
      if (kept != 0 && place(entries_[kept - 1]) == place(entry))
        entries_[kept - 1].weight += entry.weight;
      else
        entries_[kept++] = entry;
    }
    entries_.resize(kept);
    merged_ = kept;
    if (kept <= kMaxEntries) return;
    if (buckets() == 1) break;
    coarsen();
  }
  none_ = true;
  entries_ = {};
}

void FlameTimeline::coarsen() {
  const uint32_t factor = smallest_factor(rows_);
  if (rows_ > 1) rows_ /= factor;
  bucket_ns_ *= factor;
  for (Entry& entry : entries_) entry.bucket /= factor;
}

}  // namespace jrec
