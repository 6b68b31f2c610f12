// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace jrec {
namespace {

// Insertions, deletions and replacements that turn a into b, row by row of the usual table.
size_t edits(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t kLongestWord = 64;
  word = word.substr(0, kLongestWord);
  std::string best;
  size_t fewest = std::max(word.size() / 2, size_t{1}) + 1;
  for (const std::string& candidate : candidates) {
    const size_t count = edits(word, candidate);
    if (count >= fewest) continue;
    fewest = count;
    best = candidate;
  }
  return best;
}

}  // namespace jrec
