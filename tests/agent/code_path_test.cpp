// SPDX-License-Identifier: Apache-2.0
// Slow paths, stubs and adapters as JDK 17 and 25 made them, but for the distances of their jumps.
#include "agent/hotspot/x86_64/code_path.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "agent/hotspot/x86_64/frame_shape.h"

using rec::agent::x86_64::CodePath;

namespace {

// A method's code, and its slow path behind it.
class Code {
 public:
  explicit Code(const std::vector<uint8_t>& bytes) : size_(bytes.size()) {
    memory_.fill(0x90);
    std::memcpy(memory_.data() + kMargin, bytes.data(), bytes.size());
  }
  uint64_t begin() const { return reinterpret_cast<uint64_t>(memory_.data()) + kMargin; }
  uint64_t end() const { return begin() + size_; }
  CodePath from(uint64_t at) const { return {begin() + at, begin(), end()}; }

 private:
  static constexpr size_t kMargin = 16;
  std::array<uint8_t, 256> memory_{};
  size_t size_;
};

CodePath::Event behind_calls(CodePath& path) {
  CodePath::Event event = path.follow();
  while (event == CodePath::kCall) event = path.follow();
  return event;
}

// Of JDK 25's C2 under ZGC: ret; sub rsp,16; mov [rsp+8],r9; mov [rsp],rdx; lea rsi,[r12+r9*8+16]; mov rdi,r10; call;
// mov r10,rax; mov rdx,[rsp]; mov r9,[rsp+8]; vzeroupper; add rsp,16; jmp back
const Code kC2Barrier({0xc3, 0x48, 0x83, 0xec, 0x10, 0x4c, 0x89, 0x4c, 0x24, 0x08, 0x48, 0x89, 0x14,
                       0x24, 0x4b, 0x8d, 0x74, 0xcc, 0x10, 0x49, 0x8b, 0xfa, 0xe8, 0x20, 0x70, 0x7b,
                       0x15, 0x4c, 0x8b, 0xd0, 0x48, 0x8b, 0x14, 0x24, 0x4c, 0x8b, 0x4c, 0x24, 0x08,
                       0xc5, 0xf8, 0x77, 0x48, 0x83, 0xc4, 0x10, 0xe9, 0xcd, 0xff, 0xff, 0xff});

// Of its C1: ret; lea rbx,[rax+24]; push rax; sub rsp,16; mov [rsp+8],rbx; mov [rsp],rdx; call; add rsp,16; mov rdx,rax;
// pop rax; jmp back
const Code kC1Barrier({0xc3, 0x48, 0x8d, 0x58, 0x18, 0x50, 0x48, 0x83, 0xec, 0x10, 0x48, 0x89, 0x5c,
                       0x24, 0x08, 0x48, 0x89, 0x14, 0x24, 0xe8, 0xf5, 0x76, 0x3c, 0x07, 0x48, 0x83,
                       0xc4, 0x10, 0x48, 0x8b, 0xd0, 0x58, 0xe9, 0xdb, 0xff, 0xff, 0xff});

}  // namespace

TEST_CASE("a barrier's slow path tells at every instruction how much it has saved below the frame") {
  struct Expected {
    uint64_t at;
    int64_t saved;
  };
  const auto check = [](const Code& code, std::initializer_list<Expected> places) {
    for (const Expected& place : places) {
      CAPTURE(place.at);
      CodePath path = code.from(place.at);
      CHECK(behind_calls(path) == CodePath::kJumpBack);
      CHECK(path.pc() == code.begin());
      CHECK(path.sp_up() == place.saved);
    }
  };
  check(kC2Barrier, {{1, 0}, {5, 16}, {10, 16}, {22, 16}, {27, 16}, {30, 16}, {42, 16}, {46, 0}});
  check(kC1Barrier, {{1, 0}, {5, 0}, {6, 8}, {10, 24}, {19, 24}, {24, 24}, {28, 8}, {31, 8}, {32, 0}});
}

TEST_CASE("a path stops behind each call, so that one that leaves the frame as it is can be known") {
  CodePath path = kC2Barrier.from(1);
  CHECK(path.follow() == CodePath::kCall);
  CHECK(path.pc() == kC2Barrier.begin() + 27);
  CHECK(path.sp_up() == -16);
}

TEST_CASE("a path leaves a loop by its last branch that leads out") {
  // loop: inc eax; je out; jmp loop; out: add rsp,8; pop rbp; ret
  const Code code({0xff, 0xc0, 0x74, 0x02, 0xeb, 0xfa, 0x48, 0x83, 0xc4, 0x08, 0x5d, 0xc3});
  CodePath path = code.from(0);
  CHECK(path.follow() == CodePath::kJumpBack);
  CHECK(path.follow() == CodePath::kReturn);
  CHECK(path.return_at() == 16);
  CHECK(path.fp_at() == 8);
}

TEST_CASE("who throws takes the return address along, and it still lies below the stack pointer") {
  // JDK 25's ExceptionBlob: mov rbp,[rsp]; add rsp,8; pop rdx; mov r8,rax; jmp r8
  const Code blob({0x48, 0x8b, 0x2c, 0x24, 0x48, 0x83, 0xc4, 0x08, 0x5a, 0x4c, 0x8b, 0xc0, 0x41, 0xff, 0xe0});
  CodePath path = blob.from(0);
  CHECK(path.follow() == CodePath::kThrough);
  CHECK(path.sp_up() == 16);
  CHECK(path.return_at() == 8);
  // C1's handle_exception_from_callee: leave; pop rcx; jmp rcx; leave; ret
  const Code stub({0xc9, 0x59, 0xff, 0xe1, 0xc9, 0xc3});
  CodePath at_leave = stub.from(0), at_pop = stub.from(1), at_jump = stub.from(2);
  CHECK(at_leave.follow() == CodePath::kLost);
  CHECK(at_pop.follow() == CodePath::kThrough);
  CHECK(at_pop.return_at() == 0);
  CHECK(at_jump.follow() == CodePath::kThrough);
  CHECK(at_jump.return_at() == -8);
  // A method's entry barrier, if the method may not run: jmp [rsp - 8], with its caller's return address on top.
  const Code barrier({0xff, 0x64, 0x24, 0xf8});
  CodePath through_memory = barrier.from(0);
  CHECK(through_memory.follow() == CodePath::kThrough);
  CHECK(through_memory.return_at() == 0);
}

TEST_CASE("a stub is left by what it has still to undo, whatever it does besides") {
  // JDK 25's slow_subtype_check: mov rdi,1; jne; mov [rsp+48],1; pop rax, rcx, rsi, rdi; ret
  const Code code({0x48, 0xc7, 0xc7, 0x01, 0, 0, 0, 0x0f, 0x85, 0x0e, 0,    0,    0,   0x48,
                   0xc7, 0x44, 0x24, 0x30, 1, 0, 0, 0,    0x58, 0x59, 0x5e, 0x5f, 0xc3});
  for (const uint64_t at : {0, 7, 13})
    CHECK(rec::agent::x86_64::stub_shape_at(code.begin(), code.end(), code.begin() + at).frame.return_offset == 32);
  CHECK(rec::agent::x86_64::stub_shape_at(code.begin(), code.end(), code.begin() + 24).frame.return_offset == 16);
}

TEST_CASE("a direct call tells what it has called") {
  const Code code({0xe8, 0x10, 0, 0, 0, 0x41, 0xff, 0xd2});
  CHECK(rec::agent::x86_64::called_before(code.begin() + 5) == code.begin() + 0x15);
  CHECK(rec::agent::x86_64::called_before(code.begin() + 8) == 0);
  const Code far({0x49, 0xba, 8, 7, 6, 5, 4, 3, 2, 1, 0x41, 0xff, 0xd2});  // mov r10, constant; call r10
  CHECK(rec::agent::x86_64::called_before(far.begin() + 13) == 0x0102030405060708);
}

TEST_CASE("a path leaves a loop by a branch that leads out, though a later one stays within") {
  // loop: jle out; jge skip; nop; skip: jmp loop; out: pop rbp; ret
  const Code code({0x7e, 0x05, 0x7d, 0x01, 0x90, 0xeb, 0xf9, 0x5d, 0xc3});
  CodePath path = code.from(0);
  CHECK(path.follow() == CodePath::kJumpBack);
  CHECK(path.follow() == CodePath::kReturn);
  CHECK(path.return_at() == 8);
}

// How C2 searches a string in a short one (C2_MacroAssembler::string_indexof), its loops left out: mov rcx,rsp; jae big;
// sub rsp,16; mov rsi,rsp; big: push rax; push rsi; push rdi; push rcx; inc eax; pop rsp; ret
const Code kStringSearch({0x48, 0x8b, 0xcc, 0x73, 0x07, 0x48, 0x83, 0xec, 0x10, 0x48,
                          0x8b, 0xf4, 0x50, 0x56, 0x57, 0x51, 0xff, 0xc0, 0x5c, 0xc3});

TEST_CASE("an older sp that the code has noted itself is known when it is taken back") {
  CodePath path = kStringSearch.from(0);
  CHECK(path.follow() == CodePath::kReturn);
  CHECK(path.return_at() == 0);
}

TEST_CASE("an older sp noted before lies in a register until it is pushed, then on the stack") {
  for (const uint64_t at : {3, 5, 9, 12, 15}) {
    CAPTURE(at);
    CodePath path = kStringSearch.from(at);
    REQUIRE(path.follow() == CodePath::kPopSp);
    CHECK(path.pushed() == 1);  // rcx
  }
  for (const uint64_t at : {16, 18}) {
    CAPTURE(at);
    CodePath path = kStringSearch.from(at);
    REQUIRE(path.follow() == CodePath::kPopSp);
    CHECK(path.pushed() == rec::agent::x86_64::Instruction::kNothing);
    CHECK(path.sp_up() == 0);
  }
}

TEST_CASE("a path that gets lost has told what it has popped until then, but for the frame") {
  // pop rbx; pop rbx; push rax; ud2: C1 behind its question whether a class is a subtype of another
  const Code code({0x5b, 0x5b, 0x50, 0x0f, 0x0b});
  CodePath path = code.from(0);
  CHECK(path.follow() == CodePath::kLost);
  CHECK(path.sp_up() == 8);
  CHECK(path.most_popped() == 16);
  // add rsp,0x70; pop rbp; ud2
  const Code leaves({0x48, 0x83, 0xc4, 0x70, 0x5d, 0x0f, 0x0b});
  CodePath end = leaves.from(0);
  CHECK(end.follow() == CodePath::kLost);
  CHECK(end.most_popped() == 0);
}
