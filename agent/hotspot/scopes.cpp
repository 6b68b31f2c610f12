// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/scopes.h"

#include "agent/hotspot/safe_load.h"

namespace rec::agent {
namespace {

constexpr int32_t kInvocationEntryBci = -1;  // bcis are stored plus one

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

Scopes::Scopes(const Layout& layout, const CodeBlob& nmethod, uint64_t pc) : layout_(layout) {
  const uint64_t nm = nmethod.address;
  if (layout.nmethod_immutable_data != kAbsent) {
    const uint64_t immutable = word_at(nm + layout.nmethod_immutable_data);
    pcs_begin_ = immutable + half_at(nm + layout.nmethod_scopes_pcs);
    pcs_end_ = immutable + half_at(nm + layout.nmethod_scopes_data);
    scopes_data_ = pcs_end_;
    metadata_ = word_at(nm + layout.blob_mutable_data) + half_at(nm + layout.blob_relocation_size);
  } else {
    pcs_begin_ = nm + half_at(nm + layout.nmethod_scopes_pcs);
    pcs_end_ = nm + half_at(nm + layout.nmethod_dependencies);
    scopes_data_ = word_at(nm + layout.nmethod_scopes_data_begin);
    metadata_ = nm + half_at(nm + layout.nmethod_metadata);
  }
  scope_ = find_scope(pc - nmethod.code_begin);
}

// The first PcDesc whose pc offset is not below ours. The table is sorted and ends with a sentinel.
uint32_t Scopes::find_scope(uint64_t pc_offset) {
  if (pcs_end_ <= pcs_begin_ || pcs_end_ - pcs_begin_ > (64u << 20)) return 0;
  uint64_t low = 0;
  uint64_t high = (pcs_end_ - pcs_begin_) / layout_.pc_desc_size;
  const uint64_t count = high;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    const auto offset = static_cast<int32_t>(half_at(pcs_begin_ + middle * layout_.pc_desc_size + layout_.pc_desc_pc));
    if (offset < static_cast<int64_t>(pc_offset))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count) return 0;
  const uint64_t desc = pcs_begin_ + low * layout_.pc_desc_size;
  exact_ = half_at(desc + layout_.pc_desc_pc) == pc_offset;
  return half_at(desc + layout_.pc_desc_scope);
}

bool Scopes::next(uint64_t& method, int32_t& bci) {
  if (scope_ == 0 || budget_-- == 0) return false;
  uint64_t at = scopes_data_ + scope_;
  uint32_t sender = 0, index = 0, raw_bci = 0;
  const uint32_t excess = layout_.unsigned5_excess;
  if (!read_unsigned5(at, excess, sender) || !read_unsigned5(at, excess, index) || !read_unsigned5(at, excess, raw_bci))
    return false;
  if (sender >= scope_) return false;  // a sender's scope is written before the callee's
  scope_ = sender;
  method = index == 0 ? 0 : word_at(metadata_ + 8 * (static_cast<uint64_t>(index) - 1));
  bci = static_cast<int32_t>(raw_bci) + kInvocationEntryBci;
  return true;
}

}  // namespace rec::agent
