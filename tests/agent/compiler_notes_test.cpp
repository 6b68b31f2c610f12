// SPDX-License-Identifier: Apache-2.0
// Which of C2's notes are believed. The compiled method is words of ours: two methods inlined into a third.
#include "agent/hotspot/vm/compiler_notes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <vector>

using namespace rec::agent;

namespace {

constexpr uint8_t kInvokeStatic = 0xb8, kGoto = 0xa7;

// Laid out as to 21, in as few bytes as it takes. Descriptions are numbers below 64, which are one byte each.
class Compiled {
 public:
  enum Method : uint8_t { kOut, kLeaf, kOther };
  static constexpr int32_t kCall = 1, kLoop = 15, kBox = 20, kLater = 30;  // bytecodes: out's calls, and one of a loop

  Compiled() {
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

}  // namespace

TEST_CASE("a note of a call that new code got everywhere is not believed amid an inlined loop: the loop's is") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox);
  code.note(10, code.scope(call, Compiled::kLeaf, Compiled::kLoop - 1));
  code.note(50, box);
  code.note(90, box);
  code.note(100, code.scope(call, Compiled::kLeaf, Compiled::kLoop));
  code.spread(box);
  CHECK(code.believed(40) == 100);
  CHECK(code.believed(60) == 100);
  CHECK(code.believed(95) == 95);
  CHECK(code.believed(5) == 5);
}

TEST_CASE("nor is that of a call in an inlined method amid a loop of its caller") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kBox),
                 inner = code.scope(call, Compiled::kOther, Compiled::kCall);
  code.note(10, code.scope(0, Compiled::kOut, Compiled::kLoop - 1));
  code.note(90, inner);
  code.note(100, code.scope(0, Compiled::kOut, Compiled::kLoop));
  code.spread(inner);
  CHECK(code.believed(50) == 100);
}

TEST_CASE("what stands for a call that became instructions is believed: it is not everywhere") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox);
  const uint32_t loop = code.scope(call, Compiled::kLeaf, Compiled::kLoop);
  for (int32_t copy = 0; copy < 8; ++copy) {  // of a loop that is unrolled
    code.note(10 + 20 * copy, loop);
    code.note(20 + 20 * copy, box);
  }
  code.note(190, loop);
  CHECK(code.believed(15) == 15);
  CHECK(code.believed(75) == 75);
}

TEST_CASE("a note stays where the code around it is of two calls, or is what was inlined there") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox);
  uint32_t before = code.scope(call, Compiled::kLeaf, Compiled::kLoop), behind = 0;
  SUBCASE("of the method itself") { behind = code.scope(0, Compiled::kOut, Compiled::kLoop); }
  SUBCASE("of a later call") {
    behind = code.scope(code.scope(0, Compiled::kOut, Compiled::kLater), Compiled::kLeaf, Compiled::kLoop);
  }
  SUBCASE("inlined there") {
    before = code.scope(box, Compiled::kLeaf, Compiled::kLoop);
    behind = code.scope(box, Compiled::kLeaf, Compiled::kLoop - 1);
  }
  code.note(10, before);
  code.note(90, box);
  code.note(100, behind);
  code.spread(box);
  CHECK(code.believed(50) == 50);
}

#if defined(__x86_64__)
TEST_CASE("between loops of two calls the loop's own poll says whose it is") {
  Compiled code;
  const uint32_t first = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox),
                 second = code.scope(0, Compiled::kOut, Compiled::kLater);
  code.note(10, code.scope(first, Compiled::kLeaf, Compiled::kLoop));
  code.jump_back(88, 20);
  uint64_t expected = 0;
  SUBCASE("behind it") {
    code.note(90, box);
    code.note(92, code.scope(first, Compiled::kLeaf, Compiled::kLoop));  // of a load that both loops share
    code.note(93, code.scope(second, Compiled::kOther, Compiled::kLoop));
    code.poll(93);
    expected = 93;
  }
  SUBCASE("in it") {
    code.note(40, code.scope(second, Compiled::kOther, Compiled::kLoop));
    code.poll(40);
    code.note(90, box);
    code.note(95, code.scope(first, Compiled::kLeaf, Compiled::kLoop));
    expected = 40;
  }
  SUBCASE("farther behind it, and of the call in front") {
    code.note(90, box);
    code.note(92, code.scope(second, Compiled::kOther, 2));
    code.note(110, code.scope(first, Compiled::kLeaf, Compiled::kLoop + 1));
    code.poll(110);
    expected = 110;
  }
  SUBCASE("farther behind it, and of nobody near") {
    code.note(90, box);
    code.note(92, code.scope(second, Compiled::kOther, 2));
    code.note(110, code.scope(code.scope(0, Compiled::kOut, 3), Compiled::kLeaf, Compiled::kLoop));
    code.poll(110);
    expected = 50;
  }
  SUBCASE("that of what is around both says nothing") {
    code.note(90, box);
    code.note(93, code.scope(0, Compiled::kOut, Compiled::kLoop));
    code.poll(93);
    expected = 50;
  }
  code.spread(box);
  CHECK(code.believed(50) == expected);
}

TEST_CASE("where a loop does not poll, rounds of one right behind it say whose it is, and nothing else does") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox),
                 later = code.scope(0, Compiled::kOut, Compiled::kLater);
  code.loops(Compiled::kLeaf);
  code.jump_back(88, 20);
  uint64_t expected = 50;
  SUBCASE("behind it") {
    code.note(10, code.scope(later, Compiled::kOther, 2));
    code.note(90, box);
    code.note(100, code.scope(call, Compiled::kLeaf, Compiled::kLoop));
    expected = 100;
  }
  SUBCASE("in front of it") {
    code.note(10, code.scope(call, Compiled::kLeaf, Compiled::kLoop));
    code.note(90, box);
    code.note(100, code.scope(later, Compiled::kOther, 2));
  }
  SUBCASE("behind more code") {
    code.note(10, code.scope(later, Compiled::kOther, 2));
    code.note(95, box);
    code.note(100, code.scope(call, Compiled::kLeaf, Compiled::kLoop));
  }
  SUBCASE("neither") {
    code.note(10, code.scope(call, Compiled::kOther, 2));
    code.note(90, box);
    code.note(100, code.scope(later, Compiled::kOther, 2));
  }
  code.spread(box);
  CHECK(code.believed(50) == expected);
}
#endif

#if defined(__x86_64__)
TEST_CASE("where a loop does not poll, what else is in it says whose it is") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox),
                 later = code.scope(0, Compiled::kOut, Compiled::kLater);
  code.loops(Compiled::kLeaf);
  code.note(10, code.scope(later, Compiled::kOther, 2));
  code.jump_back(88, 20);
  int32_t in_loop = Compiled::kLoop;
  uint64_t expected = 40;
  SUBCASE("a bytecode of a loop") {}
  SUBCASE("not one that is in none") {
    in_loop = 2;
    expected = 50;
  }
  SUBCASE("not a value that is put away") {
    code.spill_before(40);
    expected = 50;
  }
  SUBCASE("not with another call's beside it") {
    code.note(30, code.scope(later, Compiled::kOther, 2));
    expected = 50;
  }
  SUBCASE("another call that is not made has no say") { code.note(30, later); }
  SUBCASE("not what is in a loop inside it") {
    code.jump_back(44, 38);
    expected = 60;
  }
  code.note(40, code.scope(call, Compiled::kLeaf, in_loop));
  code.note(90, box);
  code.note(95, code.scope(later, Compiled::kOther, 2));
  code.spread(box);
  CHECK(code.believed(expected == 60 ? 60 : 50) == expected);
}

TEST_CASE("the loop of an intrinsic is whose the loop around it is") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox),
                 later = code.scope(0, Compiled::kOut, Compiled::kLater);
  code.loops(Compiled::kLeaf);
  code.note(10, code.scope(later, Compiled::kOther, 2));
  code.jump_back(60, 46);
  code.jump_back(98, 14);
  uint64_t expected = 30;
  SUBCASE("by its poll") {
    code.note(24, code.scope(later, Compiled::kOther, 2));
    code.note(30, code.scope(call, Compiled::kLeaf, 2));
    code.poll(30);
  }
  SUBCASE("by what else is in it") { code.note(30, code.scope(call, Compiled::kLeaf, Compiled::kLoop)); }
  SUBCASE("unless it has a note of its own") {
    code.note(30, code.scope(call, Compiled::kLeaf, Compiled::kLoop));
    code.note(56, code.scope(later, Compiled::kOther, 2));
    expected = 50;
  }
  code.note(100, box);
  code.note(105, code.scope(later, Compiled::kLeaf, 2));
  code.spread(box);
  CHECK(code.believed(50) == expected);
}

TEST_CASE("a call of a stub has no exact note: it is the loop's") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall),
                 box = code.scope(0, Compiled::kOut, Compiled::kBox);
  uint64_t expected = 30;
  SUBCASE("of the VM's functions") { code.bare_call_before(60); }
  SUBCASE("other calls have") {
    code.call_before(60);
    expected = 60;
  }
  code.note(30, code.scope(call, Compiled::kLeaf, 2));
  code.poll(30);
  code.jump_back(88, 20);
  code.note(60, box);
  code.note(90, box);
  code.note(105, code.scope(0, Compiled::kOut, 2));
  code.spread(box);
  CHECK(code.believed(60) == expected);
}
#endif

TEST_CASE("notes of other bytecodes are believed, and of calls that are made") {
  Compiled code;
  const uint32_t call = code.scope(0, Compiled::kOut, Compiled::kCall);
  int32_t bci = Compiled::kBox;
  SUBCASE("no call") { bci = Compiled::kBox + 1; }
#if defined(__x86_64__)
  SUBCASE("a call, right there") { code.call_before(90); }
#endif
  const uint32_t box = code.scope(0, Compiled::kOut, bci);
  code.note(10, code.scope(call, Compiled::kLeaf, Compiled::kLoop - 1));
  code.note(90, box);
  code.note(100, code.scope(call, Compiled::kLeaf, Compiled::kLoop));
  code.spread(box);
  CHECK(code.believed(50) == 50);
}

TEST_CASE("damage: notes that lead nowhere are believed") {
  Compiled code;
  code.note(50, 200);
  code.note(100, code.scope(7, Compiled::kOut, Compiled::kBox));
  for (const uint64_t pc_offset : {45, 95, 200}) CHECK(code.believed(pc_offset) == pc_offset);
}
