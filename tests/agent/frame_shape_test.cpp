// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "agent/hotspot/x86_64/frame_shape.h"

using namespace rec::agent::x86_64;

namespace {

// Code as HotSpot's assembler emits it, with room around for what looks ahead and behind.
class CodeBytes {
 public:
  explicit CodeBytes(std::vector<uint8_t> bytes) : size_(bytes.size()) {
    std::memcpy(memory_.data() + kMargin, bytes.data(), bytes.size());
  }
  uint64_t begin() const { return reinterpret_cast<uint64_t>(memory_.data() + kMargin); }
  uint64_t end() const { return begin() + size_; }
  FramedCode framed(uint32_t frame_words, int32_t frame_complete) const {
    return {begin(), frame_words, frame_complete};
  }

 private:
  static constexpr size_t kMargin = 64;
  std::array<uint8_t, 512> memory_{};
  size_t size_;
};

// mov [rsp-0x14000],eax; push rbp; sub rsp,0x30; ... add rsp,0x30; pop rbp; cmp rsp,[r15+0x28]; ja; ret
const std::vector<uint8_t> kC2Method = {0x89, 0x84, 0x24, 0x00, 0xc0, 0xfe, 0xff, 0x55, 0x48, 0x83, 0xec,
                                        0x30, 0x33, 0xc0, 0xff, 0xc0, 0x48, 0x83, 0xc4, 0x30, 0x5d, 0x49,
                                        0x3b, 0x67, 0x28, 0x0f, 0x87, 0x10, 0x00, 0x00, 0x00, 0xc3};
constexpr uint32_t kWords = 8;  // 0x30 bytes, rbp, return address
constexpr uint64_t kRegister = FrameShape::kInRegister;

}  // namespace

TEST_CASE("the return address of a compiled method is found at every instruction of its prologue and epilogue") {
  const CodeBytes code(kC2Method);
  const FramedCode framed = code.framed(kWords, 12);
  struct Expected {
    uint64_t pc, return_offset, saved_fp;
  };
  const Expected expected[] = {
      {0, 0, kRegister},  {7, 0, kRegister},                       // before the push
      {8, 8, 0},                                                   // rbp pushed
      {12, 0x38, 0x30},   {14, 0x38, 0x30},                        // the frame stands
      {16, 0x38, 0x30},                                            // at "add rsp"
      {20, 8, 0},                                                  // at "pop rbp"
      {21, 0, kRegister}, {25, 0, kRegister}, {31, 0, kRegister},  // poll, its branch, return
  };
  for (const Expected& e : expected) {
    CAPTURE(e.pc);
    const FrameShape shape = shape_at(framed, code.begin(), code.begin() + e.pc);
    CHECK(shape.return_offset == e.return_offset);
    CHECK(shape.saved_fp_offset == e.saved_fp);
  }
}

TEST_CASE("a frame that is built without a push is known too") {
  // sub rsp,0x18; mov [rsp+0x10],rbp
  const CodeBytes code({0x48, 0x81, 0xec, 0x18, 0, 0, 0, 0x48, 0x89, 0x6c, 0x24, 0x10, 0x90, 0x90});
  const FramedCode framed = code.framed(4, 13);
  CHECK(shape_at(framed, code.begin(), code.begin()).return_offset == 0);
  CHECK(shape_at(framed, code.begin(), code.begin() + 7).return_offset == 0x18);
  CHECK(shape_at(framed, code.begin(), code.begin() + 7).saved_fp_offset == kRegister);
  CHECK(shape_at(framed, code.begin(), code.begin() + 12).saved_fp_offset == 0x10);
}

TEST_CASE("a frame that is built behind other code is known at every instruction, too") {
  // Object.hashCode()'s wrapper: mov rax,[rsi]; test al,1; je +1; ret; mov [rsp-0x14000],eax; push rbp; mov rbp,rsp;
  // sub rsp,0x20; nop
  const CodeBytes code({0x48, 0x8b, 0x06, 0xa8, 0x01, 0x74, 0x01, 0xc3, 0x89, 0x84, 0x24, 0x00,
                        0xc0, 0xfe, 0xff, 0x55, 0x48, 0x8b, 0xec, 0x48, 0x83, 0xec, 0x20, 0x90});
  const FramedCode framed = code.framed(6, 23);
  for (const uint64_t at : {0, 3, 5, 7, 8, 15})
    CHECK(shape_at(framed, code.begin(), code.begin() + at).return_offset == 0);
  for (const uint64_t at : {16, 19}) {
    CHECK(shape_at(framed, code.begin(), code.begin() + at).return_offset == 8);
    CHECK(shape_at(framed, code.begin(), code.begin() + at).saved_fp_offset == 0);
  }
  CHECK(shape_at(framed, code.begin(), code.begin() + 23).return_offset == 0x28);
}

TEST_CASE("before the verified entry point there is no frame") {
  const CodeBytes code(kC2Method);
  CHECK(shape_at(code.framed(kWords, 12), code.begin() + 7, code.begin() + 3).return_offset == 0);
}

TEST_CASE("the slow path of a return poll has no frame any more") {
  // lea r10,[rip-0x20]; mov [r15+0x398],r10; jmp
  const CodeBytes code(
      {0x90, 0x4c, 0x8d, 0x15, 0xe0, 0xff, 0xff, 0xff, 0x4d, 0x89, 0x97, 0x98, 0x03, 0, 0, 0xe9, 0, 0, 0, 0});
  const FramedCode framed = code.framed(kWords, 0);
  for (const uint64_t at : {1, 8, 15}) CHECK(shape_at(framed, code.begin(), code.begin() + at).return_offset == 0);
  // mov r10, address; mov [r15+0x468],r10; jmp
  const CodeBytes whole_address({0x90, 0x49, 0xba, 0x55, 0xde, 0x3e, 0xc0, 0x5f, 0x7f, 0, 0, 0x4d,
                                 0x89, 0x97, 0x68, 0x04, 0,    0,    0xe9, 0,    0,    0, 0});
  const FramedCode likewise = whole_address.framed(kWords, 0);
  for (const uint64_t at : {1, 11, 18})
    CHECK(shape_at(likewise, whole_address.begin(), whole_address.begin() + at).return_offset == 0);
}

TEST_CASE("a stub that pushes registers is followed from its first to its last instruction") {
  // push rdi; push rsi; mov rsi,[rsp+0x18]; inc; pop rsi; pop rdi; ret
  const CodeBytes code({0x57, 0x56, 0x48, 0x8b, 0x74, 0x24, 0x18, 0xff, 0xc6, 0x5e, 0x5f, 0xc3});
  const auto offset = [&](uint64_t at) {
    return stub_shape_at(code.begin(), code.end(), code.begin() + at).frame.return_offset;
  };
  CHECK(offset(0) == 0);
  CHECK(offset(1) == 8);
  CHECK(offset(2) == 16);
  CHECK(offset(7) == 16);
  CHECK(offset(9) == 16);
  CHECK(offset(10) == 8);
  CHECK(offset(11) == 0);
}

TEST_CASE("a stub with a frame pointer is known by it, a marker word before it included") {
  const CodeBytes plain({0x55, 0x48, 0x8b, 0xec, 0x50, 0xff, 0xc0, 0xff, 0xc0, 0xff, 0xc0, 0x58, 0xc9, 0xc3});
  CHECK(stub_shape_at(plain.begin(), plain.end(), plain.begin()).frame.return_offset == 0);
  CHECK(stub_shape_at(plain.begin(), plain.end(), plain.begin() + 1).frame.return_offset == 8);
  CHECK(stub_shape_at(plain.begin(), plain.end(), plain.begin() + 5).above_fp == 8);
  CHECK(stub_shape_at(plain.begin(), plain.end(), plain.begin() + 13).frame.return_offset == 0);
  const CodeBytes barrier({0x68, 0xff, 0xff, 0xff, 0xff, 0x55, 0x48, 0x8b, 0xec, 0x57, 0xff, 0xc0, 0xff, 0xc0});
  CHECK(stub_shape_at(barrier.begin(), barrier.end(), barrier.begin() + 10).above_fp == 16);
}

TEST_CASE("a stub that has taken its frame down and jumps on is not known by its caller's frame pointer") {
  // push rbp; mov rbp,rsp; pushf; ...; mov rax,[rsp]; popf; pop rbp; jmp rax
  const CodeBytes resolve({0x55, 0x48, 0x8b, 0xec, 0x9c, 0xff, 0xc0, 0x48, 0x8b, 0x04, 0x24, 0x9d, 0x5d, 0xff, 0xe0});
  const auto shape = [&](uint64_t at) { return stub_shape_at(resolve.begin(), resolve.end(), resolve.begin() + at); };
  for (const uint64_t at : {5, 7, 11, 12}) CHECK(shape(at).above_fp == 8);
  CHECK(shape(13).above_fp == 0);
  CHECK(shape(13).frame.return_offset == 0);
  // a jump on with the frame in place
  const CodeBytes inside({0x55, 0x48, 0x8b, 0xec, 0xff, 0xc0, 0xff, 0xe0, 0xc9, 0xc3});
  CHECK(stub_shape_at(inside.begin(), inside.end(), inside.begin() + 6).above_fp == 8);
}

TEST_CASE("a stub that does something else before it sets its frame pointer is known by that, too") {
  // mov r11,rdx; push rbp; mov rbp,rsp; sub r11,0x80; jge back; leave; ret
  const CodeBytes fill(
      {0x4c, 0x8b, 0xda, 0x55, 0x48, 0x8b, 0xec, 0x49, 0x81, 0xeb, 0x80, 0x00, 0x00, 0x00, 0x7d, 0xf7, 0xc9, 0xc3});
  CHECK(stub_shape_at(fill.begin(), fill.end(), fill.begin()).above_fp == 0);
  CHECK(stub_shape_at(fill.begin(), fill.end(), fill.begin() + 3).frame.return_offset == 0);
  CHECK(stub_shape_at(fill.begin(), fill.end(), fill.begin() + 4).frame.return_offset == 8);
  CHECK(stub_shape_at(fill.begin(), fill.end(), fill.begin() + 7).above_fp == 8);
  CHECK(stub_shape_at(fill.begin(), fill.end(), fill.begin() + 14).above_fp == 8);
  // push rax; push rbp; mov rbp,rsp; ...; leave: the return address is above what was pushed
  const CodeBytes other({0x50, 0x55, 0x48, 0x8b, 0xec, 0xff, 0xc0, 0xc9, 0xc3});
  CHECK(stub_shape_at(other.begin(), other.end(), other.begin() + 5).above_fp == 16);
}

TEST_CASE("a stub may copy an argument before it sets its frame pointer") {
  // mov r11,rdx; push rbp; mov rbp,rsp; cmp r11,4096; jg; ...; vzeroupper; leave; ret
  const CodeBytes fill({0x4c, 0x8b, 0xda, 0x55, 0x48, 0x8b, 0xec, 0x49, 0x81, 0xfb, 0x00, 0x10, 0x00,
                        0x00, 0x0f, 0x8f, 0x00, 0x00, 0x00, 0x00, 0xc5, 0xf8, 0x77, 0xc9, 0xc3});
  const auto shape = [&](uint64_t at) { return stub_shape_at(fill.begin(), fill.end(), fill.begin() + at); };
  CHECK(shape(0).frame.return_offset == 0);
  for (const uint64_t at : {7, 14, 20, 23}) CHECK(shape(at).above_fp == 8);
  CHECK(shape(24).above_fp == 0);
  CHECK(shape(24).frame.return_offset == 0);
  // test; jz; push rbp; ...: behind a branch it is no begin
  const CodeBytes branches({0x85, 0xc0, 0x74, 0x06, 0x55, 0x48, 0x8b, 0xec, 0xff, 0xc0, 0xc9, 0xc3});
  CHECK(stub_shape_at(branches.begin(), branches.end(), branches.begin() + 8).above_fp == 0);
}

TEST_CASE("a stub that works with rbp tells where it has kept the frame's, once it has") {
  // JDK 25's sha512 (AVX2): push rbp; mov rbp,rsp; push rdx; push rcx; mov rax,rsp; sub rsp,0x70; and rsp,-32;
  // mov [rsp+0x38],rax; mov [rsp+0x40],rbp; mov [rsp+0x48],rbx; mov rbp,constants
  const CodeBytes code({0x55, 0x48, 0x8b, 0xec, 0x52, 0x51, 0x48, 0x8b, 0xc4, 0x48, 0x83, 0xec, 0x70, 0x48, 0x83,
                        0xe4, 0xe0, 0x48, 0x89, 0x44, 0x24, 0x38, 0x48, 0x89, 0x6c, 0x24, 0x40, 0x48, 0x89, 0x5c,
                        0x24, 0x48, 0x48, 0xbd, 0xc0, 0x18, 0xc5, 0xa6, 0xa6, 0x7f, 0x00, 0x00, 0xc9, 0xc3});
  const auto shape = [&](uint64_t at) { return stub_shape_at(code.begin(), code.end(), code.begin() + at); };
  for (const uint64_t at : {9, 17, 22}) CHECK(shape(at).kept_fp == 0);
  for (const uint64_t at : {27, 32, 42}) {
    CHECK(shape(at).above_fp == 8);
    CHECK(shape(at).kept_fp == 0x40);
  }
}

TEST_CASE("an upcall stub tells where the data of its frame lie") {
  // JDK 25: mov [rsp+0x38],r15; vzeroupper; lea rdi,[rsp+0x48]; call; mov r15,rax
  const CodeBytes near({0x4c, 0x89, 0x7c, 0x24, 0x38, 0xc5, 0xf8, 0x77, 0x48, 0x8d, 0x7c,
                        0x24, 0x48, 0xe8, 0x00, 0x00, 0x00, 0x00, 0x4c, 0x8b, 0xf8});
  CHECK(upcall_data_at(near.begin(), near.end()) == 0x48);
  const CodeBytes far({0x90, 0x48, 0x8d, 0xbc, 0x24, 0x90, 0x01, 0x00, 0x00, 0xe8, 0x00, 0x00, 0x00, 0x00});
  CHECK(upcall_data_at(far.begin(), far.end()) == 0x190);
  // lea rdi,[rsp+0x48] that is no argument
  const CodeBytes none({0x48, 0x8d, 0x7c, 0x24, 0x48, 0x90, 0x90, 0x90});
  CHECK(upcall_data_at(none.begin(), none.end()) == 0);
}

TEST_CASE("an exception path that pops the return address and jumps on is no return") {
  // add rsp,8; mov rbx,rax; pop rdx; jmp rbx
  const CodeBytes code({0x90, 0x48, 0x83, 0xc4, 0x08, 0x48, 0x8b, 0xd8, 0x5a, 0xff, 0xe3});
  CHECK(stub_shape_at(code.begin(), code.end(), code.begin() + 1).frame.return_offset == 8);
  CHECK(stub_shape_at(code.begin(), code.end(), code.begin() + 8).frame.return_offset == 0);
}
