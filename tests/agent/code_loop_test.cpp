// SPDX-License-Identifier: Apache-2.0
// Loops of compiled code, found by their jumps back.
#include "agent/hotspot/vm/code_loop.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include "agent/hotspot/processor/frame_shape.h"

using namespace rec::agent;

#if defined(__x86_64__)

namespace {

// Of nops but for what is put there.
class LoopingCode {
 public:
  LoopingCode() { bytes_.fill(0x90); }
  void put(size_t at, const std::vector<uint8_t>& bytes) {
    std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
  }
  // jl, from there back to an offset.
  void jump_back(size_t at, size_t to) {
    put(at, {0x7c, static_cast<uint8_t>(static_cast<int>(to) - static_cast<int>(at) - 2)});
  }
  uint64_t address(size_t at) const { return reinterpret_cast<uint64_t>(bytes_.data()) + at; }
  uint64_t end() const { return address(bytes_.size()); }

 private:
  std::array<uint8_t, 2048> bytes_{};
};

}  // namespace

TEST_CASE("the innermost loop around a pc is that of the first branch back over it") {
  LoopingCode code;
  code.jump_back(100, 60);
  code.jump_back(120, 20);
  const auto loop_at = [&](size_t at) { return loop_around(code.address(at), code.address(0), code.end()); };
  CHECK(loop_at(60).begin == code.address(60));
  CHECK(loop_at(80).end == code.address(102));
  CHECK(loop_at(110).begin == code.address(20));
  CHECK(loop_at(40).end == code.address(122));
  CHECK_FALSE(loop_at(10));
  CHECK_FALSE(loop_at(122));
  CHECK_FALSE(loop_around(code.address(80), code.address(70), code.end()).begin == code.address(60));  // a stub's
  code.put(85, {0xeb, 0xb0});  // a jump back to 7, of a rare path
  CHECK(loop_at(80).begin == code.address(60));
  code.put(90, {0xc3});  // a return: what is behind it is no part of the loop
  CHECK_FALSE(loop_at(80));
}

TEST_CASE("the next loop around one is that of the first branch behind it that leads back to its begin or farther") {
  LoopingCode code;
  code.jump_back(100, 60);
  code.jump_back(110, 70);  // round what is in the first one's end, and not around it
  code.jump_back(120, 20);
  const CodeLoop inner = loop_around(code.address(80), code.address(0), code.end());
  const CodeLoop outer = loop_around(inner, code.address(0), code.end());
  CHECK(outer.begin == code.address(20));
  CHECK(outer.end == code.address(122));
  CHECK_FALSE(loop_around(outer, code.address(0), code.end()));
}

TEST_CASE("a call is found where code leads to it straight, over what it skips and by jumps on") {
  LoopingCode code;
  code.put(20, {0x75, 0x05});  // jne, to 27
  code.put(30, {0xeb, 0x10});  // jmp, to 48
  code.put(60, {0xe8, 0, 0, 0, 0});
  const auto from = [&](size_t at) { return behind_call_from(code.address(at), code.end()); };
  CHECK(from(16) == code.address(65));
  CHECK(from(50) == code.address(65));
  CHECK(from(100) == 0);       // too far from any
  code.put(20, {0x75, 0x70});  // to what is no part of the way
  CHECK(from(16) == 0);
  code.jump_back(52, 48);
  CHECK(from(24) == 0);
}

TEST_CASE("what only moves a value between registers and the stack is told from loads and stores") {
  LoopingCode code;
  code.put(0, {0x48, 0x89, 0xc8});               // mov rax,rcx
  code.put(10, {0x4c, 0x89, 0x54, 0x24, 0x20});  // mov [rsp+0x20],r10
  code.put(20, {0x8b, 0x0c, 0x24});              // mov ecx,[rsp]
  code.put(30, {0x41, 0x8b, 0x4a, 0x10});        // mov ecx,[r10+0x10]
  code.put(40, {0x43, 0x89, 0x4c, 0xdc, 0x10});  // mov [r12+r11*8+0x10],ecx
  code.put(50, {0x48, 0xff, 0xc0});              // inc rax
  for (const size_t at : {0, 10, 20}) CHECK(is_move(code.address(at)));
  for (const size_t at : {30, 40, 50, 60}) CHECK_FALSE(is_move(code.address(at)));
}

TEST_CASE("a loop that is too long is not looked for to its end, nor code that cannot be read") {
  LoopingCode code;
  code.jump_back(2000, 1990);
  CHECK_FALSE(loop_around(code.address(0), code.address(0), code.end()));
  code.put(100, {0x0f, 0xff});
  CHECK_FALSE(loop_around(code.address(90), code.address(0), code.end()));
}

TEST_CASE("the poll behind a loop is near a few plain instructions away, or farther past branches that leave") {
  LoopingCode code;
  code.put(70, {0x4d, 0x8b, 0x97, 0x48, 0x03, 0x00, 0x00, 0x41, 0x85, 0x02});  // mov r10,[r15+0x348]; test eax,[r10]
  const auto from = [&](size_t at) { return poll_behind(code.address(at), code.end()); };
  for (const size_t at : {70, 69, 60, 40}) CHECK(from(at).at == code.address(77));
  CHECK(from(69).is_near);
  CHECK_FALSE(from(60).is_near);
  CHECK(from(10).at == 0);  // too far
  code.put(68, {0x75, 0x10});
  CHECK(from(68).at == code.address(77));
  CHECK_FALSE(from(68).is_near);
  code.jump_back(68, 20);  // another loop
  CHECK(from(68).at == 0);
  code.put(68, {0xeb, 0x05});  // it goes on elsewhere
  CHECK(from(68).at == 0);
}

TEST_CASE("polls and marks of entries are told from what looks alike") {
  LoopingCode code;
  code.put(0, {0x41, 0x85, 0x02});
  code.put(10, {0x85, 0x00});        // test eax,[rax]
  code.put(20, {0x85, 0xc0});        // test eax,eax
  code.put(30, {0x85, 0x04, 0x24});  // test eax,[rsp]
  code.put(40, {0xf3, 0x0f, 0x1e, 0xfa});
  code.put(50, {0xf3, 0x0f, 0x1e, 0xfb});  // of 32 bits
  for (const size_t at : {0, 10}) CHECK(is_poll(code.address(at)));
  for (const size_t at : {20, 30, 60}) CHECK_FALSE(is_poll(code.address(at)));
  CHECK(marks_entry(code.address(40)));
  for (const size_t at : {44, 50}) CHECK_FALSE(marks_entry(code.address(at)));
}

#endif
