// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/flame_timeline.h"

#include <algorithm>

namespace jrec {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kMostColumns = 3600;
constexpr uint64_t kMillisecond = 1'000'000;

// By bucket, thread, state and node, two at a time.
bool stands_before(const FlameTimeline::Entry& a, const FlameTimeline::Entry& b) {
  const auto moment = [](const FlameTimeline::Entry& of) { return uint64_t{of.bucket} << 32 | of.thread; };
  const auto place = [](const FlameTimeline::Entry& of) { return uint64_t{of.state} << 32 | of.node; };
  return moment(a) != moment(b) ? moment(a) < moment(b) : place(a) < place(b);
}

uint64_t length_ns(const TimeRange& of) { return static_cast<uint64_t>(of.to_ns) - static_cast<uint64_t>(of.from_ns); }

// Most come in the order of time: then each bucket is sorted by itself.
void sort_by_bucket(FlameTimeline::Entries& entries) {
  if (!std::ranges::is_sorted(entries, {}, &FlameTimeline::Entry::bucket))
    return std::sort(entries.begin(), entries.end(), stands_before);
  for (auto from = entries.begin(); from != entries.end();) {
    const auto end = std::ranges::find_if(from, entries.end(), [&](const auto& e) { return e.bucket != from->bucket; });
    std::sort(from, end, stands_before);
    from = end;
  }
}

// The smallest factor above 1 that the rows of a column can be divided by.
uint32_t smallest_factor(uint32_t rows) {
  for (uint32_t factor = 2; factor < rows; ++factor)
    if (rows % factor == 0) return factor;
  return std::max(rows, uint32_t{2});
}

}  // namespace

FlameTimeline::FlameTimeline(int64_t start_ns, uint64_t duration_ns, uint64_t bucket_ns, uint32_t rows, bool spread)
    : start_ns_(start_ns), duration_ns_(duration_ns), bucket_ns_(bucket_ns), rows_(rows), spread_(spread) {
  while (duration_ns_ / bucket_ns_ >= kMaxBuckets) coarsen();
}

FlameTimeline FlameTimeline::strip(const TimeRange& shown, uint32_t buckets, bool spread) {
  const uint64_t wanted = length_ns(shown) / buckets / kMillisecond + 1;
  return FlameTimeline(shown.from_ns, length_ns(shown), wanted * kMillisecond, 1, spread);
}

FlameTimeline FlameTimeline::heatmap(const TimeRange& shown, uint32_t rows, bool spread) {
  uint64_t column = kSecond;
  for (const uint64_t factor : {10, 6, 10, 6, 24})
    if (length_ns(shown) / column > kMostColumns) column *= factor;
  return FlameTimeline(shown.from_ns, length_ns(shown), column / rows, rows, spread);
}

uint64_t FlameTimeline::since_ns(int64_t time_ns) const {
  int64_t since = 0;
  if (time_ns <= start_ns_ || __builtin_sub_overflow(time_ns, start_ns_, &since)) return 0;
  return std::min(static_cast<uint64_t>(since), duration_ns_);
}

// What has been given away so far grows with time up to the weight, so no part is lost by rounding.
void FlameTimeline::add_parts(const TimedSample& sample) {
  const uint64_t from_ns = since_ns(sample.time_ns);
  const uint64_t length_ns = std::min(sample.ns, duration_ns_ - from_ns);
  const uint64_t end_ns = from_ns + std::max<uint64_t>(length_ns, 1);
  uint64_t given = 0;
  for (uint64_t bucket = from_ns / bucket_ns_; given < sample.weight; ++bucket) {
    const uint64_t so_far_ns = std::min((bucket + 1) * bucket_ns_, end_ns) - from_ns;
    const double share = static_cast<double>(so_far_ns) / static_cast<double>(end_ns - from_ns);
    const bool last = (bucket + 1) * bucket_ns_ >= end_ns;
    const uint64_t due = last ? sample.weight : static_cast<uint64_t>(static_cast<double>(sample.weight) * share);
    if (due > given)
      entries_.push_back({static_cast<uint32_t>(bucket), sample.thread, sample.state, sample.node, due - given});
    given = std::max(given, due);
    if (last) return;
  }
}

void FlameTimeline::add(const SampleChunk& chunk) {
  if (chunk.rescale != 1)
    for (Entry& entry : entries_) entry.weight *= chunk.rescale;
  for (const TimedSample& sample : chunk.samples) {
    if (sample.weight == 0) continue;
    if (spread_)
      add_parts(sample);
    else
      entries_.push_back({bucket_of(sample.time_ns), sample.thread, sample.state, sample.node, sample.weight});
    if (entries_.size() < merged_ + kMaxEntries) continue;
    merge();
    while (merged_ > kMostRead && buckets() > 1) double_buckets();
  }
}

FlameTimeline FlameTimeline::renamed(const std::vector<uint32_t>& node, size_t most) const {
  FlameTimeline made = *this;
  for (Entry& entry : made.entries_) entry.node = node[entry.node];
  made.merge();
  while (made.merged_ > most && made.buckets() > kFewestBuckets) {
    if (made.merged_ > 2 * most) made.coarsen();
    made.double_buckets();
  }
  return made;
}

void FlameTimeline::double_buckets() {
  coarsen();
  merge();
}

void FlameTimeline::merge() {
  sort_by_bucket(entries_);
  size_t kept = 0;
  for (const Entry& entry : entries_) {
    if (kept != 0 && !stands_before(entries_[kept - 1], entry))
      entries_[kept - 1].weight += entry.weight;
    else
      entries_[kept++] = entry;
  }
  entries_.shorten(kept);
  merged_ = kept;
}

void FlameTimeline::coarsen() {
  const uint32_t factor = smallest_factor(rows_);
  if (rows_ > 1) rows_ /= factor;
  bucket_ns_ *= factor;
  for (Entry& entry : entries_) entry.bucket /= factor;
}

}  // namespace jrec
