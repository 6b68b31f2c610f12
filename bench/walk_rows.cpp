// SPDX-License-Identifier: Apache-2.0
#include "bench/walk_rows.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

namespace rec::bench {
namespace {

uint32_t at_share(const std::vector<uint32_t>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(share * static_cast<double>(sorted.size())))];
}

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void WalkRows::add(const WalkRow& row) {
  const uint32_t index = used_.fetch_add(1, std::memory_order_relaxed);
  if (index < kMaxRows) rows_[index] = row;
}

uint32_t WalkRows::size() const { return std::min(used_.load(), kMaxRows); }

void WalkRows::print() const {
  uint64_t both = 0, same = 0, only_ours = 0, only_theirs = 0, frames = 0, kept = 0, differ = 0;
  for (uint32_t i = 0; i < size(); ++i) {
    const WalkRow& row = rows_[i];
    kept += static_cast<uint64_t>(row.kept_frames);
    differ += row.again_same ? 0 : 1;
    if (row.our_success() && row.their_success())
      ++both, same += row.same ? 1 : 0, frames += static_cast<uint64_t>(row.our_frames);
    else if (row.our_success())
      ++only_ours;
    else if (row.their_success())
      ++only_theirs;
  }
  std::fprintf(
      stderr,
      "walks=%u dropped=%u both_succeed=%.2f%% only_ours=%.2f%% only_theirs=%.2f%% same_methods=%.2f%% frames=%.1f\n",
      size(), used_.load() - size(), percent(both, size()), percent(only_ours, size()), percent(only_theirs, size()),
      percent(same, both), both == 0 ? 0 : static_cast<double>(frames) / static_cast<double>(both));
  std::fprintf(stderr, "again: kept=%.1f frames a walk, differ=%llu\n",
               size() == 0 ? 0 : static_cast<double>(kept) / size(), static_cast<unsigned long long>(differ));
  print_times(kOurs, "rec");
  print_times(kAgain, "rec again");
  print_times(kTheirs, "AsyncGetCallTrace");
  print_failures();
}

// Of the stacks that both could walk, so that giving up early does not pass for speed.
void WalkRows::print_times(Walker walker, const char* name) const {
  std::vector<uint32_t> cold, warm;
  for (uint32_t i = 0; i < size(); ++i) {
    const WalkRow& row = rows_[i];
    if (row.our_success() && row.their_success()) (row.first == walker ? cold : warm).push_back(row.time_ns[walker]);
  }
  std::sort(cold.begin(), cold.end());
  std::sort(warm.begin(), warm.end());
  std::fprintf(stderr, "%-18s cold n=%zu p50=%u ns p99=%u ns max=%u ns   warm n=%zu p50=%u ns p99=%u ns\n", name,
               cold.size(), at_share(cold, 0.5), at_share(cold, 0.99), at_share(cold, 1), warm.size(),
               at_share(warm, 0.5), at_share(warm, 0.99));
}

void WalkRows::print_failures() const {
  std::map<int, uint64_t> ours, theirs;
  for (uint32_t i = 0; i < size(); ++i) {
    if (!rows_[i].our_success()) ++ours[static_cast<int>(rows_[i].end)];
    if (!rows_[i].their_success()) ++theirs[rows_[i].their_frames];
  }
  for (const auto& [end, count] : ours)
    std::fprintf(stderr, "rec fails: %s %.3f%%\n", walk_end_name(static_cast<agent::WalkEnd>(end)),
                 percent(count, size()));
  for (const auto& [code, count] : theirs)
    std::fprintf(stderr, "AsyncGetCallTrace fails: %d %.3f%%\n", code, percent(count, size()));
}

}  // namespace rec::bench
