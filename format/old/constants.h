// SPDX-License-Identifier: Apache-2.0
// Constants are the values that events of version 0.9 refer to by a key, out of the checkpoints of their chunk.
//
// A key may have several values, each with the time of its checkpoint: what refers to it at a time means the first of
// that time or later. Nothing is decoded but sizes; a Constant is where its fields are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/old/description.h"
#include "format/reader/problems.h"

namespace jfr::old {

struct Constant {
  uint64_t key = 0;
  int64_t at = 0;       // ticks of its checkpoint
  uint32_t offset = 0;  // of its fields in the chunk
  uint32_t made = 0;    // what became of it; for whoever translates
};

class Constants {
 public:
  // chunk[0, end) may be read. What is broken is noted, with offsets from `base`.
  Constants(std::span<const uint8_t> chunk, uint64_t end, const Description& description, uint64_t base,
            read::Problems& problems);

  // Null: there is none.
  Constant* find(uint32_t pool, uint64_t key, int64_t at);
  std::span<const Constant> all(uint32_t pool) const { return pools_[pool]; }

  // Where checkpoints begin, in the order of the chunk: events begin behind them.
  std::span<const uint64_t> checkpoints() const { return checkpoints_; }

 private:
  // Adds those that the newest checkpoint leads to; false: the chain is broken.
  bool follow_chain();
  void walk_for_checkpoints();
  void read_checkpoint(uint64_t at);
  void note(uint64_t at, const char* what);

  const std::span<const uint8_t> chunk_;
  const uint64_t end_;
  const Description& description_;
  const uint64_t base_;
  read::Problems& problems_;
  std::vector<uint64_t> checkpoints_;
  std::vector<std::vector<Constant>> pools_;  // by key, then by time
};

}  // namespace jfr::old
