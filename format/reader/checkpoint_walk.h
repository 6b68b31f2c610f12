// SPDX-License-Identifier: Apache-2.0
// CheckpointWalk goes through the constants of one checkpoint.
//
//   size | 1 | start | duration | delta | flags u8 | pools x { type | count x { key | value } }
//
//   CheckpointWalk walk(chunk, metadata, at);
//   while (walk.next_pool())
//     while (walk.next_constant()) use(walk.pool(), walk.constant());
//   if (!walk.why().empty()) ...
//
// Pools and constants in front of damage come out. Positions are bytes from the start of the chunk.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "format/reader/cursor.h"
#include "format/reader/metadata.h"

namespace jfr::read {

class CheckpointWalk {
 public:
  struct Pool {
    uint32_t type = 0;  // index in the metadata
    uint64_t at = 0;    // of its type id
    uint64_t count = 0;
  };
  struct Constant {
    uint64_t key = 0;
    uint64_t at = 0;     // of the key
    uint64_t value = 0;  // behind it
    uint64_t end = 0;
  };

  CheckpointWalk(std::span<const uint8_t> chunk, const Metadata& metadata, uint64_t at);

  bool next_pool();  // passes over what is left of the one before
  bool next_constant();

  const Pool& pool() const { return pool_; }
  const Constant& constant() const { return constant_; }

  uint64_t start_at() const { return start_at_; }  // of its start and duration
  uint64_t delta_at() const { return delta_at_; }  // and behind them its delta
  int64_t delta() const { return delta_; }
  uint8_t flags() const { return flags_; }
  uint64_t flags_at() const { return flags_at_; }
  uint64_t pools_at() const { return pools_at_; }  // behind their number
  uint64_t end() const { return end_; }

  // Empty, or what is wrong, and where.
  const std::string& why() const { return why_; }
  uint64_t why_at() const { return why_at_; }

 private:
  bool fail(uint64_t at, std::string why);

  const Metadata& metadata_;
  Cursor in_;
  Pool pool_;
  Constant constant_;
  uint64_t pools_left_ = 0;
  uint64_t constants_left_ = 0;
  uint64_t start_at_ = 0, delta_at_ = 0, flags_at_ = 0, pools_at_ = 0, end_ = 0;
  int64_t delta_ = 0;
  uint8_t flags_ = 0;
  std::string why_;
  uint64_t why_at_ = 0;
};

}  // namespace jfr::read
