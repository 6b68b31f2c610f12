// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/histogram.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "jrec/base/append_format.h"
#include "jrec/safepoints/report_text.h"

namespace jrec {
namespace {

constexpr size_t kBarWidth = 40;
constexpr int64_t kFirstBucketNs = 1'000'000;

}  // namespace

void add_histogram(std::span<const int64_t> lengths_ns, std::string& out) {
  std::map<int64_t, size_t> buckets;
  size_t most = 0;
  for (const int64_t length : lengths_ns) {
    if (length < 0) continue;
    int64_t least = kFirstBucketNs;
    while (least <= INT64_MAX / 4 && least * 2 <= length) least *= 2;
    most = std::max(most, ++buckets[least]);
  }
  if (!buckets.empty()) out += '\n';
  for (const auto& [least, count] : buckets) {
    const size_t bar = std::max<size_t>(count * kBarWidth / most, 1);
    append_format(out, "{:>10} {:>12} ms {}\n", count, fmt::format("{:.0f} to {:.0f}", ms(least), ms(2 * least)),
                  std::string(bar, '#'));
  }
}

}  // namespace jrec
