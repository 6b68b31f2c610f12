// SPDX-License-Identifier: Apache-2.0
#include "format/c/stack_table.h"

#include <algorithm>

#include "format/c/text_table.h"

namespace jfr::c {

// As TextTable does, two stacks of one hash lie one behind the other.
uint32_t StackTable::number_of(std::span<const StackFrame> wanted, bool is_truncated) {
  for (uint64_t hash = hash_bytes(wanted.data(), wanted.size_bytes()) + (is_truncated ? 1u << 31 : 0);; ++hash) {
    if (const uint32_t* known = by_hash_.find(hash)) {
      if (truncated(*known) == is_truncated && std::ranges::equal(frames(*known), wanted)) return *known;
      continue;
    }
    stacks_.push_back({frames_.size(), static_cast<uint32_t>(wanted.size()), is_truncated});
    frames_.insert(frames_.end(), wanted.begin(), wanted.end());
    const auto number = static_cast<uint32_t>(stacks_.size());
    by_hash_.find_or_add(hash, number);
    return number;
  }
}

}  // namespace jfr::c
