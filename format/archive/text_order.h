// SPDX-License-Identifier: Apache-2.0
// The JDK writes the texts of its metadata in the order of a java.util.HashSet (jdk.jfr.internal.MetadataWriter): by
// the low bits of their hashes, and by the time at which they came where these are the same. So the order in which
// elements name them tells that in which they stand.
#pragma once

#include <cstdint>
#include <vector>

namespace jfr::archive {

inline constexpr uint32_t kMostCapacityLog = 24;

// String.hashCode(), given one UTF-16 unit after the other.
class JavaHash {
 public:
  void add(uint64_t unit) { hash_ = hash_ * 31 + static_cast<uint32_t>(unit); }
  uint32_t get() const { return hash_; }

 private:
  uint32_t hash_ = 0;
};

// hashes: of the texts as they were added. The order in which a set of 1 << capacity_log places gives them: [i] is the
// number of the i-th of them.
std::vector<uint32_t> set_order(const std::vector<uint32_t>& hashes, uint32_t capacity_log);

// Whether texts stand in that order. hashes, added: of each where it stands, and the how-many-eth it was to be added.
bool is_set_order(const std::vector<uint32_t>& hashes, const std::vector<uint32_t>& added, uint32_t capacity_log);

}  // namespace jfr::archive
