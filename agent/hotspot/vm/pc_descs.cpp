// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/pc_descs.h"

#include <algorithm>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr int kGuesses = 5;
constexpr uint64_t kCloseEnough = 6;        // entries; four lie in a cache line
constexpr uint64_t kMostBytes = 64u << 20;  // of a table that is one

}  // namespace

PcDescs::PcDescs(const Layout& layout, const CodeBlob& nmethod)
    : layout_(layout), code_size_(nmethod.code_end - nmethod.code_begin) {
  const bool apart = layout.nmethod.immutable_data != kAbsent;
  const uint64_t base = apart ? u64_at(nmethod.address + layout.nmethod.immutable_data) : nmethod.address;
  const uint32_t behind = apart ? layout.nmethod.scopes_data : layout.nmethod.dependencies;
  begin_ = base + u32_at(nmethod.address + layout.nmethod.scopes_pcs);
  end_ = base + u32_at(nmethod.address + behind);
}

uint64_t PcDescs::size() const {
  return end_ > begin_ && end_ - begin_ <= kMostBytes ? (end_ - begin_) / layout_.pc_desc.size : 0;
}

int32_t PcDescs::pc_offset(uint64_t entry) const {
  return static_cast<int32_t>(u32_at(begin_ + entry * layout_.pc_desc.size + layout_.pc_desc.pc));
}

uint32_t PcDescs::scope(uint64_t entry) const {
  return u32_at(begin_ + entry * layout_.pc_desc.size + layout_.pc_desc.scope);
}

// Entries are spread over the code evenly, more or less, so a few guesses by proportion come close; each saves a cache
// line or two of the binary search that follows.
uint64_t PcDescs::at_or_behind(uint64_t pc_offset_wanted) const {
  const auto wanted = static_cast<int64_t>(pc_offset_wanted);
  uint64_t low = 0, high = size();  // everything in front of low is below ours, nothing from high on is
  int64_t low_offset = 0, high_offset = static_cast<int64_t>(code_size_);
  for (int i = 0; i < kGuesses && high - low > kCloseEnough && low_offset <= wanted && wanted < high_offset; ++i) {
    const auto part =
        static_cast<uint64_t>((wanted - low_offset) * static_cast<int64_t>(high - low) / (high_offset - low_offset));
    const uint64_t guess = std::min(low + part, high - 1);
    const int64_t offset = pc_offset(guess);
    if (offset < wanted)
      low = guess + 1, low_offset = offset;
    else
      high = guess, high_offset = offset;
  }
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (pc_offset(middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace rec::agent
