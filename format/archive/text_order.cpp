// SPDX-License-Identifier: Apache-2.0
#include "format/archive/text_order.h"

#include <algorithm>
#include <numeric>

namespace jfr::archive {
namespace {

uint32_t place_of(uint32_t hash, uint32_t capacity_log) { return (hash ^ hash >> 16) & ((1u << capacity_log) - 1); }

}  // namespace

std::vector<uint32_t> set_order(const std::vector<uint32_t>& hashes, uint32_t capacity_log) {
  std::vector<uint32_t> order(hashes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](uint32_t text) { return place_of(hashes[text], capacity_log); });
  return order;
}

bool is_set_order(const std::vector<uint32_t>& hashes, const std::vector<uint32_t>& added, uint32_t capacity_log) {
  for (size_t i = 1; i < hashes.size(); ++i) {
    const uint32_t before = place_of(hashes[i - 1], capacity_log), place = place_of(hashes[i], capacity_log);
    if (before > place || (before == place && added[i - 1] > added[i])) return false;
  }
  return true;
}

}  // namespace jfr::archive
