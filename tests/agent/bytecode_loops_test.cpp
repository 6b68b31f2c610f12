// SPDX-License-Identifier: Apache-2.0
// Loops of a method, by its bytecodes.
#include "agent/hotspot/vm/bytecode_loops.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace rec::agent;

namespace {

// A Method of one word, which leads to a ConstMethod of a size and bytecodes.
class BytecodeMethod {
 public:
  explicit BytecodeMethod(const std::vector<uint8_t>& code) : words_(2 + code.size() / 8, 0) {
    layout_.method.const_method = 0;
    layout_.const_method.code_size = 0, layout_.const_method.header = 8;
    const auto size = static_cast<uint16_t>(code.size());
    std::memcpy(words_.data(), &size, sizeof size);
    std::copy(code.begin(), code.end(), reinterpret_cast<uint8_t*>(words_.data() + 1));
    pointer_ = reinterpret_cast<uint64_t>(words_.data());
  }
  bool loops_at(int32_t bci) const { return is_in_loop(layout_, reinterpret_cast<uint64_t>(&pointer_), bci); }

 private:
  Layout layout_;
  std::vector<uint64_t> words_;
  uint64_t pointer_ = 0;
};

constexpr uint8_t kNothing = 0, kJump = 0xa7;

}  // namespace

TEST_CASE("a bytecode is in a loop where a jump back leads over it") {
  // 0: iconst_0, istore_1; 2: iload_1, bipush 9, if_icmpge +9; 8: iinc 1 1; 11: goto -9; 14: return
  const BytecodeMethod method(
      {0x03, 0x3c, 0x1b, 0x10, 0x09, 0xa2, 0x00, 0x09, 0x84, 0x01, 0x01, kJump, 0xff, 0xf7, 0xb1});
  for (const int32_t bci : {2, 5, 8, 11}) CHECK(method.loops_at(bci));
  for (const int32_t bci : {-1, 0, 1, 14}) CHECK_FALSE(method.loops_at(bci));
}

TEST_CASE("numbers within instructions are no jumps, and switches tell their length") {
  // sipush 0xa7ff; 3: tableswitch of 2; 28: lookupswitch of 1; 48: wide iinc; 54: invokeinterface; 59: return
  std::vector<uint8_t> code{0x11, kJump, 0xff, 0xaa};
  const auto word = [&](uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) code.push_back(static_cast<uint8_t>(value >> shift));
  };
  for (const uint32_t value : {25u, 7u, 8u, 25u, 25u}) word(value);
  code.insert(code.end(), {kNothing, kNothing, kNothing, kNothing, 0xab, kNothing, kNothing, kNothing});
  for (const uint32_t value : {20u, 1u, 0xa7ffff00u, 20u}) word(value);
  code.insert(code.end(), {0xc4, 0x84, 0xff, 0xff, kJump, 0xff, 0xb9, kJump, 0xff, 0xf0, 0x00, 0xb1});
  const BytecodeMethod method(code);
  for (const int32_t bci : {0, 3, 28, 48, 54, 59}) CHECK_FALSE(method.loops_at(bci));
}

TEST_CASE("of HotSpot's own bytecodes the length is known, and what is behind others is in no loop") {
  // _fast_aload_0, _fast_igetfield (3), _fast_iload (2), goto -6
  const BytecodeMethod rewritten({kNothing, 220, 208, kJump, 0xff, 224, 1, kJump, 0xff, 0xfa, 0xb1});
  CHECK(rewritten.loops_at(5));
  CHECK_FALSE(rewritten.loops_at(0));
  CHECK_FALSE(rewritten.loops_at(10));
  CHECK_FALSE(BytecodeMethod({kNothing, 0xfe, kNothing, kJump, 0xff, 0xfd}).loops_at(2));
}

TEST_CASE("damage: a method without bytecodes has no loop, and one without an end neither hangs nor is read beyond") {
  CHECK_FALSE(BytecodeMethod({}).loops_at(3));
  const BytecodeMethod wild({0xaa, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff});
  CHECK_FALSE(wild.loops_at(3));
}
