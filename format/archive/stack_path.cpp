// SPDX-License-Identifier: Apache-2.0
#include "format/archive/stack_path.h"

#include <algorithm>
#include <cstring>

#include "format/archive/wire_frames.h"

namespace jfr::archive {

// Short ones are moved by one copy of a block: what is too much of it stands in front, where something else comes.
void FrontBytes::put(size_t behind, std::span<const uint8_t> bytes) {
  if (bytes_.size() < behind + bytes.size() + kFrameBlock) grow(behind + bytes.size() + kFrameBlock);
  uint8_t* const end = bytes_.data() + bytes_.size() - behind;
  if (bytes.size() <= kFrameBlock)
    std::memcpy(end - kFrameBlock, bytes.data() + bytes.size() - kFrameBlock, kFrameBlock);
  else
    std::memcpy(end - bytes.size(), bytes.data(), bytes.size());
}

void FrontBytes::grow(size_t least) {
  std::vector<uint8_t> larger(std::max(least, 2 * bytes_.size()));
  std::ranges::copy_backward(bytes_, larger.end());
  bytes_ = std::move(larger);
}

}  // namespace jfr::archive
