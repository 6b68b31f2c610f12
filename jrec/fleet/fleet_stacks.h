// SPDX-License-Identifier: Apache-2.0
// The table stacks: each stack that rows of a partition refer to, once in that partition, whatever recording brought it.
// A stack's number is a hash of what it says (sql/stack_store.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "jrec/fleet/fleet_append.h"
#include "jrec/fleet/partition.h"
#include "jrec/sql/stack_store.h"

namespace jrec {

// What stands in partitions already: read from their files, when somebody asks, and kept for the next recording.
class StacksThere {
 public:
  using Numbers = std::unordered_set<int64_t>;
  static constexpr size_t kMostKept = size_t{1} << 22;

  explicit StacksThere(FleetStore& store) : store_(store) {}
  // kCorrupt: a file there cannot be read, so that nobody knows.
  base::Result<Numbers*> of(const std::string& partition);
  // Numbers that were given are not good any more, if there are many.
  void forget_many();

 private:
  FleetStore& store_;
  std::map<std::string, Numbers> known_;
  size_t kept_ = 0;
};

// The stacks that one recording uses, by day.
class StacksUsed {
 public:
  // `number` is in `store`, which need not live longer.
  void add(int64_t day, int64_t number, const StackStore& store);

  // Writes those that are not there, and gives how many; `added` has them, for whoever remembers once they are committed.
  struct Added {
    StacksThere::Numbers* there;
    std::vector<int64_t> numbers;
  };
  base::Result<uint64_t> write(FleetAppend& append, StacksThere& there, Partition partition,
                               std::vector<Added>& added) const;

 private:
  base::Status write_rows(FleetAppend& append, const std::string& partition, const std::vector<int64_t>& numbers) const;

  struct OfDay {
    std::unordered_set<int64_t> met;
    std::vector<int64_t> order;
  };
  std::map<int64_t, OfDay> days_;
  StackStore store_;
};

}  // namespace jrec
