// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/stack_paths.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace jrec {
size_t shared_end(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  static_assert(std::endian::native == std::endian::little, "the last byte in memory is the highest of a word");
  const size_t most = std::min(a.size(), b.size());
  const uint8_t *const a_end = a.data() + a.size(), *const b_end = b.data() + b.size();
  size_t same = 0;
  for (; same + 8 <= most; same += 8) {
    uint64_t in_a, in_b;
    std::memcpy(&in_a, a_end - same - 8, 8);
    std::memcpy(&in_b, b_end - same - 8, 8);
    if (in_a != in_b) return same + static_cast<size_t>(std::countl_zero(in_a ^ in_b)) / 8;
  }
  while (same < most && a_end[-1 - static_cast<ptrdiff_t>(same)] == b_end[-1 - static_cast<ptrdiff_t>(same)]) ++same;
  return same;
}

StackPath& StackPaths::path_of(std::span<const uint8_t> bytes) {
  size_t nearest = 0, shared = 0;
  const auto is_near = [&] { return shared * 2 > paths_[nearest].bytes.size(); };
  for (size_t i = 0; i < kPaths && !is_near(); ++i)
    if (const size_t same = shared_end(paths_[i].bytes, bytes); same > shared) nearest = i, shared = same;
  const size_t at = is_near() ? nearest : kPaths - 1;
  if (at != 0) settle(paths_[0]);
  if (at != nearest) {  // no more than is shared: others may be far longer
    const std::vector<PlacedFrame>& from = paths_[nearest].placed;
    paths_[at].placed.assign(from.begin(), std::ranges::upper_bound(from, shared, {}, &PlacedFrame::size));
  }
  std::rotate(paths_.begin(), paths_.begin() + static_cast<ptrdiff_t>(at),
              paths_.begin() + static_cast<ptrdiff_t>(at) + 1);
  leave(paths_[0], shared, bytes);
  paths_[0].bytes = bytes;
  return paths_[0];
}

// Frames that do not lie in the last `shared` bytes of `bytes`, or begin inside of an integer there. Innermost first: what
// waits at a frame waits at its caller then.
void StackPaths::leave(StackPath& path, size_t shared, std::span<const uint8_t> bytes) {
  const auto is_left = [&](const PlacedFrame& frame) {
    return frame.size > shared || (frame.size != bytes.size() && bytes[bytes.size() - frame.size - 1] >= 0x80);
  };
  std::vector<PlacedFrame>& placed = path.placed;
  uint64_t waiting = 0;
  for (; !placed.empty() && is_left(placed.back()); placed.pop_back()) {
    waiting += placed.back().waiting;
    if (waiting != 0) tree_.vote(placed.back().node, placed.back().kind, waiting);
  }
  if (!placed.empty()) placed.back().waiting += waiting;
}

void StackPaths::settle(StackPath& path) {
  uint64_t waiting = 0;
  for (size_t i = path.placed.size(); i-- > 0;) {
    PlacedFrame& frame = path.placed[i];
    waiting += std::exchange(frame.waiting, 0);
    if (waiting != 0) tree_.vote(frame.node, frame.kind, waiting);
  }
}

}  // namespace jrec
