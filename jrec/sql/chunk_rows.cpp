// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/chunk_rows.h"

#include <algorithm>

namespace jrec {

bool ChunkRows::next() {
  while (!entered_ || !next_in_chunk())
    if (!open_next()) return false;
  return true;
}

// Whoever has opened it closes it.
bool ChunkRows::enter_only() {
  if (entered_) return false;
  at_ = wanted_.only->index + 1;
  enter(*wanted_.only->chunk);
  return entered_ = true;
}

bool ChunkRows::open_next() {
  if (wanted_.only) return enter_only();
  leave();
  while (at_ < source_.chunks().size()) {
    const SqlChunk& chunk = source_.chunks()[at_++];
    if (wanted_.recording && *wanted_.recording != int64_t{chunk.recording} + 1) continue;
    if (!may_hold(chunk)) continue;
    open_ = source_.open(at_ - 1);
    if (!open_) continue;
    enter(open_->chunk());
    return entered_ = true;
  }
  return false;
}

bool ChunkRows::may_hold(const SqlChunk& chunk) const {
  const auto meets = [this](int64_t first_ns, int64_t last_ns) {
    return first_ns <= wanted_.to_ns && last_ns >= wanted_.from_ns;
  };
  return meets(chunk.first_ns, chunk.last_ns) || std::ranges::any_of(chunk.far, [&](const auto& far) {
           return reads(far.type) && meets(far.first_ns, far.last_ns);
         });
}

void ChunkRows::leave() {
  if (open_) source_.close(at_ - 1, *open_);
  open_ = nullptr;
  entered_ = false;
}

}  // namespace jrec
