// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

namespace base {
namespace {

constexpr size_t kLongestWord = 64;  // a word beyond this is no misspelt key

bool same(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

template <typename Word>
std::string nearest_of(std::string_view word, std::span<const Word> words) {
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  size_t best_distance = SIZE_MAX;
  for (const std::string_view candidate : words) {
    const size_t distance = edit_distance(word, candidate);
    const size_t near = std::max<size_t>(2, std::max(word.size(), candidate.size()) / 3);
    if (distance <= near && distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  // rows[i][j]: the distance of the first i letters of a from the first j of b.
  std::vector<std::vector<size_t>> rows(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& here = rows[i][j];
      if (i == 0 || j == 0) {
        here = i + j;
        continue;
      }
      here =
          std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        here = std::min(here, rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string_view> words) { return nearest_of(word, words); }
std::string nearest(std::string_view word, std::span<const std::string> words) { return nearest_of(word, words); }

}  // namespace base
