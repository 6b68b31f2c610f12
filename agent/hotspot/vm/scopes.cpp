// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/scopes.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

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

Scopes::Scopes(const Layout& layout, const CodeBlob& nmethod) : layout_(layout), descs_(layout, nmethod) {
  const uint64_t nm = nmethod.address;
  if (layout.nmethod.immutable_data != kAbsent) {
    scopes_data_ = descs_.end();
    metadata_ = u64_at(nm + layout.blob.mutable_data) + u32_at(nm + layout.blob.relocation_size);
  } else {
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
  const uint64_t offset = pc - nmethod.code_begin, entry = descs_.at_or_behind(offset);
  if (entry < descs_.size()) {
    scope_ = descs_.scope(entry);
    exact_ = static_cast<uint64_t>(int64_t{descs_.pc_offset(entry)}) == offset;
  }
  memo.remember(pc, compile_id, scope_, exact_);
}

Scopes Scopes::at(const Layout& layout, const CodeBlob& nmethod, uint32_t scope) {
  Scopes scopes(layout, nmethod);
  scopes.scope_ = scope;
  return scopes;
}

uint64_t Scopes::described_until(const Layout& layout, const CodeBlob& nmethod, uint64_t pc) {
  const PcDescs descs(layout, nmethod);
  const uint64_t entry = descs.at_or_behind(pc - nmethod.code_begin);
  return nmethod.code_begin + (entry < descs.size() ? static_cast<uint32_t>(descs.pc_offset(entry)) : ~0u);
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
