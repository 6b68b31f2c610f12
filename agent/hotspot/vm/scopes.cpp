// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/scopes.h"

#include <algorithm>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr int kGuesses = 5;
constexpr uint64_t kCloseEnough = 6;         // PcDescs; four lie in a cache line
constexpr int32_t kInvocationEntryBci = -1;  // bcis are stored plus one

// One number out of the low bytes of a word, which moves down. False when it has more than two bytes, or the word has
// run out (its top is filled with bytes that no number ends with).
bool take_unsigned5(uint64_t& bytes, uint32_t excess, uint32_t& value) {
  const auto first = static_cast<uint32_t>(bytes & 0xff);
  if (first < excess) return false;
  if (first < 192) {
    value = first - excess;
    bytes = bytes >> 8 | 0xffull << 56;
    return true;
  }
  const auto second = static_cast<uint32_t>(bytes >> 8 & 0xff);
  if (second < excess || second >= 192) return false;
  value = first - excess + ((second - excess) << 6);
  bytes = bytes >> 16 | 0xffffull << 48;
  return true;
}

}  // namespace

// Bytes below 192 end a number; each earlier byte adds its value times 64 to the power of its place; at most five
// bytes.
bool read_unsigned5(uint64_t& at, uint32_t excess, uint32_t& value) {
  value = 0;
  for (int place = 0; place < 5; ++place) {
    uint8_t byte = 0;
    if (!load8(at++, byte) || byte < excess) return false;
    const uint32_t code = byte - excess;
    value += code << (6 * place);
    if (byte < 192) return true;
  }
  return true;
}

Scopes::Scopes(const Layout& layout, const CodeBlob& nmethod) : layout_(layout) {
  const uint64_t nm = nmethod.address;
  if (layout.nmethod.immutable_data != kAbsent) {
    const uint64_t immutable = u64_at(nm + layout.nmethod.immutable_data);
    pcs_begin_ = immutable + u32_at(nm + layout.nmethod.scopes_pcs);
    pcs_end_ = immutable + u32_at(nm + layout.nmethod.scopes_data);
    scopes_data_ = pcs_end_;
    metadata_ = u64_at(nm + layout.blob.mutable_data) + u32_at(nm + layout.blob.relocation_size);
  } else {
    pcs_begin_ = nm + u32_at(nm + layout.nmethod.scopes_pcs);
    pcs_end_ = nm + u32_at(nm + layout.nmethod.dependencies);
    scopes_data_ = u64_at(nm + layout.nmethod.scopes_data_begin);
    metadata_ = nm + u32_at(nm + layout.nmethod.metadata);
  }
}

Scopes::Scopes(const Layout& layout, const CodeBlob& nmethod, uint64_t pc, CodeMemo& memo) : Scopes(layout, nmethod) {
  const uint32_t compile_id = u32_at(nmethod.address + layout.nmethod.compile_id);
  if (const CodeMemo::Answer known = memo.find(pc, compile_id); known.hit) {
    scope_ = known.value;
    exact_ = known.flag;
    return;
  }
  scope_ = find_scope(pc - nmethod.code_begin, nmethod.code_end - nmethod.code_begin);
  memo.remember(pc, compile_id, scope_, exact_);
}

uint64_t Scopes::described_until(const Layout& layout, const CodeBlob& nmethod, uint64_t pc) {
  Scopes scopes(layout, nmethod);
  scopes.find_scope(pc - nmethod.code_begin, nmethod.code_end - nmethod.code_begin);
  return nmethod.code_begin + scopes.pc_offset_;
}

// The first PcDesc whose pc offset is not below ours. The table is sorted and ends with a sentinel. PcDescs are spread
// over the code evenly, more or less, so a few guesses by proportion come close; each saves a cache line or two of the
// binary search that follows.
uint32_t Scopes::find_scope(uint64_t pc_offset, uint64_t code_size) {
  if (pcs_end_ <= pcs_begin_ || pcs_end_ - pcs_begin_ > (64u << 20)) return 0;
  const uint64_t count = (pcs_end_ - pcs_begin_) / layout_.pc_desc.size;
  const auto wanted = static_cast<int64_t>(pc_offset);
  const auto offset_of = [&](uint64_t i) {
    return static_cast<int64_t>(
        static_cast<int32_t>(u32_at(pcs_begin_ + i * layout_.pc_desc.size + layout_.pc_desc.pc)));
  };
  uint64_t low = 0, high = count;  // everything in front of low is below ours, nothing from high on is
  int64_t low_offset = 0, high_offset = static_cast<int64_t>(code_size);
  for (int i = 0; i < kGuesses && high - low > kCloseEnough && low_offset <= wanted && wanted < high_offset; ++i) {
    const auto part =
        static_cast<uint64_t>((wanted - low_offset) * static_cast<int64_t>(high - low) / (high_offset - low_offset));
    const uint64_t guess = std::min(low + part, high - 1);
    const int64_t offset = offset_of(guess);
    if (offset < wanted)
      low = guess + 1, low_offset = offset;
    else
      high = guess, high_offset = offset;
  }
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (offset_of(middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count) return 0;
  const uint64_t desc = pcs_begin_ + low * layout_.pc_desc.size;
  pc_offset_ = u32_at(desc + layout_.pc_desc.pc);
  exact_ = pc_offset_ == pc_offset;
  return u32_at(desc + layout_.pc_desc.scope);
}

bool Scopes::next(uint64_t& method, int32_t& bci) {
  if (scope_ == 0 || budget_-- == 0) return false;
  uint64_t at = scopes_data_ + scope_;
  uint32_t sender = 0, index = 0, raw_bci = 0;
  const uint32_t excess = layout_.unsigned5_excess;
  uint64_t head = 0;
  // Three small numbers: eight bytes hold them nearly always.
  const bool quick = load64(at, head) && take_unsigned5(head, excess, sender) && take_unsigned5(head, excess, index) &&
                     take_unsigned5(head, excess, raw_bci);
  if (!quick && (!read_unsigned5(at, excess, sender) || !read_unsigned5(at, excess, index) ||
                 !read_unsigned5(at, excess, raw_bci)))
    return false;
  if (sender >= scope_) return false;  // a sender's scope is written before the callee's
  scope_ = sender;
  method = index == 0 ? 0 : u64_at(metadata_ + 8 * (static_cast<uint64_t>(index) - 1));
  bci = static_cast<int32_t>(raw_bci) + kInvocationEntryBci;
  return true;
}

}  // namespace rec::agent
