// SPDX-License-Identifier: Apache-2.0
// A compiled method that is words of ours, with notes: two methods inlined into a third.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <vector>

#include "agent/hotspot/vm/compiler_notes.h"

namespace rec::agent {

// Laid out as to 21, in as few bytes as it takes. Descriptions are numbers below 64, which are one byte each.
class NotedMethod {
 public:
  enum Method : uint8_t { kOut, kLeaf, kOther };
  static constexpr uint8_t kInvokeStatic = 0xb8, kGoto = 0xa7;
  // Bytecodes: out's calls, one in a loop, and the goto that leads back in it.
  static constexpr int32_t kCall = 1, kInLoop = 13, kLoop = 15, kBox = 20, kLater = 30;

  NotedMethod() {
    layout_.method.const_method = 0;
    layout_.const_method.code_size = 0, layout_.const_method.header = 8;
    layout_.nmethod.scopes_pcs = 0, layout_.nmethod.dependencies = 4, layout_.nmethod.metadata = 8;
    layout_.nmethod.scopes_data_begin = 16;
    layout_.pc_desc.size = 8, layout_.pc_desc.pc = 0, layout_.pc_desc.scope = 4;
    for (size_t i = 0; i < methods_.size(); ++i) {
      const_methods_[i][0] = 40;
      for (const int32_t call : {kCall, kBox, kLater}) const_methods_[i][8 + static_cast<size_t>(call)] = kInvokeStatic;
      const_methods_[i][8 + kLoop] = kGoto;
      methods_[i] = reinterpret_cast<uint64_t>(const_methods_[i].data());
    }
    code_.fill(kNop);
    note(-1, 0);
  }

  // Returns the description.
  uint32_t scope(uint32_t sender, Method method, int32_t bci) {
    const uint32_t at = described_;
    for (const uint32_t number : {sender, uint32_t{method} + 1, static_cast<uint32_t>(bci + 1)})
      scopes_[described_++] = static_cast<uint8_t>(number);
    return at;
  }
  void note(int32_t pc_offset, uint32_t scope) { notes_.push_back({pc_offset, scope}); }
  // In front of others of many kinds, behind what there is.
  void spread(uint32_t scope_of_new_code) {
    for (int32_t i = 0; i < 4; ++i) {
      note(120 + 20 * i, scope_of_new_code);
      note(130 + 20 * i, scope(0, kOut, 2 + i));
    }
  }
  // Of what is found when it is run.
  void call_before(size_t pc_offset) {
    code_[pc_offset - 2] = 0xff;
    code_[pc_offset - 1] = 0xd0;
  }
  // Of what is not in the code cache, and so a function of the VM.
  void bare_call_before(size_t pc_offset) { code_[pc_offset - 5] = 0xe8; }
  // A register goes to the stack: mov [rsp + 8], ecx.
  void spill_before(size_t pc_offset) {
    constexpr std::array<uint8_t, 4> kSpill = {0x89, 0x4c, 0x24, 0x08};
    std::copy(kSpill.begin(), kSpill.end(), code_.begin() + static_cast<std::ptrdiff_t>(pc_offset) - 4);
  }
  void jump_back(size_t from, size_t to) {
    code_[from] = 0x7c;
    code_[from + 1] = static_cast<uint8_t>(static_cast<int>(to) - static_cast<int>(from) - 2);
  }
  void poll(size_t at) {
    code_[at] = 0x85;
    code_[at + 1] = 0x00;
  }
  // A goto at kLoop that leads back over the bytecodes from 5 on.
  void loops(Method method) {
    const_methods_[method][8 + kLoop + 1] = 0xff;
    const_methods_[method][8 + kLoop + 2] = 0xf6;
  }

  // Whose note holds there: the offset of it, or that of the code itself.
  uint64_t believed(uint64_t pc_offset) {
    std::vector<Entry> all = notes_;
    all.push_back({INT_MAX, 0});
    std::memcpy(nmethod_.data() + kPcs, all.data(), all.size() * sizeof(Entry));
    std::memcpy(nmethod_.data() + kMetadata, pointers().data(), sizeof(uint64_t) * methods_.size());
    put(0, static_cast<uint32_t>(kPcs));
    put(4, static_cast<uint32_t>(kPcs + all.size() * sizeof(Entry)));
    put(8, static_cast<uint32_t>(kMetadata));
    put(16, reinterpret_cast<uint64_t>(scopes_.data()));
    CodeBlob blob;
    blob.address = reinterpret_cast<uint64_t>(nmethod_.data());
    blob.code_begin = reinterpret_cast<uint64_t>(code_.data());
    blob.code_end = blob.code_begin + code_.size();
    return believed_pc(layout_, CodeCache(), blob, blob.code_begin + pc_offset) - blob.code_begin;
  }

 private:
  static constexpr uint8_t kNop = 0x90;
  static constexpr size_t kPcs = 32, kMetadata = 600;
  struct Entry {
    int32_t pc;
    uint32_t scope;
  };
  template <typename Number>
  void put(size_t at, Number number) {
    std::memcpy(nmethod_.data() + at, &number, sizeof number);
  }
  std::array<uint64_t, 3> pointers() const {
    std::array<uint64_t, 3> all{};
    for (size_t i = 0; i < all.size(); ++i) all[i] = reinterpret_cast<uint64_t>(&methods_[i]);
    return all;
  }

  Layout layout_;
  alignas(8) std::array<std::array<uint8_t, 64>, 3> const_methods_{};
  std::array<uint64_t, 3> methods_{};
  std::array<uint8_t, 256> code_{};
  alignas(8) std::array<uint8_t, 2048> nmethod_{};
  std::array<uint8_t, 256> scopes_{};
  uint32_t described_ = 1;  // 0: none
  std::vector<Entry> notes_;
};

}  // namespace rec::agent
