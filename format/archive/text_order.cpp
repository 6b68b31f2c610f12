// SPDX-License-Identifier: Apache-2.0
#include "format/archive/text_order.h"

#include <algorithm>
#include <numeric>

namespace jfr::archive {

std::vector<uint32_t> set_order(const std::vector<uint32_t>& hashes, uint32_t capacity_log) {
  const uint32_t mask = (1u << capacity_log) - 1;
  const auto place = [&](uint32_t text) { return (hashes[text] ^ hashes[text] >> 16) & mask; };
  std::vector<uint32_t> order(hashes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, place);
  return order;
}

}  // namespace jfr::archive
