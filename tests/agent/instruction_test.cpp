// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/instruction.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

using rec::agent::x86_64::Instruction;
using rec::agent::x86_64::instruction_at;

namespace {

// The bytes, and behind them what no instruction may reach into.
Instruction decoded(const std::vector<uint8_t>& bytes) {
  static uint8_t memory[32];
  std::memset(memory, 0xcc, sizeof memory);
  std::memcpy(memory, bytes.data(), bytes.size());
  Instruction instruction = instruction_at(reinterpret_cast<uint64_t>(memory));
  instruction.target -= reinterpret_cast<uint64_t>(memory);
  return instruction;
}

struct Case {
  const char* text;
  std::vector<uint8_t> bytes;
  int sp_up = 0;
  Instruction::Kind kind = Instruction::kPlain;
};

void check(const Case& expected) {
  CAPTURE(expected.text);
  const Instruction got = decoded(expected.bytes);
  CHECK(got.length == expected.bytes.size());
  CHECK(got.kind == expected.kind);
  CHECK(got.sp_up == expected.sp_up);
}

}  // namespace

TEST_CASE("instructions that move the stack pointer say how far") {
  const Case cases[] = {
      {"push rax", {0x50}, -8},
      {"push r11", {0x41, 0x53}, -8},
      {"push -1", {0x6a, 0xff}, -8},
      {"push 0x1234", {0x68, 0x34, 0x12, 0, 0}, -8},
      {"push [rip]", {0xff, 0x35, 0, 0, 0, 0}, -8},
      {"pushf", {0x9c}, -8},
      {"pop r9", {0x41, 0x59}, 8},
      {"pop [rsp]", {0x8f, 0x04, 0x24}, 8},
      {"popf", {0x9d}, 8},
      {"sub rsp, 0x30", {0x48, 0x83, 0xec, 0x30}, -0x30},
      {"sub rsp, 0x130", {0x48, 0x81, 0xec, 0x30, 0x01, 0, 0}, -0x130},
      {"add rsp, 0x10", {0x48, 0x83, 0xc4, 0x10}, 0x10},
      {"add rsp, -0x80", {0x48, 0x83, 0xc4, 0x80}, -0x80},
      {"lea rsp, [rsp + 0x20]", {0x48, 0x8d, 0x64, 0x24, 0x20}, 0x20},
      {"lea rsp, [rsp - 0x200]", {0x48, 0x8d, 0xa4, 0x24, 0, 0xfe, 0xff, 0xff}, -0x200},
  };
  for (const Case& expected : cases) check(expected);
}

TEST_CASE("what sets the stack pointer to something else is not taken for plain") {
  const Case cases[] = {
      {"leave", {0xc9}, 0, Instruction::kUnknown},
      {"mov rsp, rbp", {0x48, 0x8b, 0xe5}, 0, Instruction::kUnknown},
      {"mov rsp, r13", {0x4c, 0x89, 0xec}, 0, Instruction::kUnknown},
      {"and rsp, -16", {0x48, 0x83, 0xe4, 0xf0}, 0, Instruction::kUnknown},
      {"pop rsp", {0x5c}, 8, Instruction::kUnknown},
      {"lea rsp, [rbp - 0x28]", {0x48, 0x8d, 0x65, 0xd8}, 0, Instruction::kUnknown},
      {"xchg rsp, rax", {0x48, 0x87, 0xe0}, 0, Instruction::kUnknown},
  };
  for (const Case& expected : cases) check(expected);
  check({"cmp rsp, [r15 + 0x28]", {0x49, 0x3b, 0x67, 0x28}});
  check({"cmp rsp, rax", {0x48, 0x39, 0xc4}});
  check({"mov rbp, rsp", {0x48, 0x8b, 0xec}});
  check({"mov r12, rax", {0x4c, 0x8b, 0xe0}});
  check({"pop r12", {0x41, 0x5c}, 8});
}

TEST_CASE("what is pushed, popped, and copied from or to the stack pointer is told") {
  CHECK(decoded({0x51}).pushed == 1);        // push rcx
  CHECK(decoded({0x41, 0x51}).pushed == 9);  // push r9
  CHECK(decoded({0x59}).popped == 1);        // pop rcx
  CHECK(decoded({0x5c}).popped == Instruction::kRsp);
  CHECK(decoded({0x48, 0x8b, 0xcc}).sp_to == 1);  // mov rcx, rsp
  CHECK(decoded({0x48, 0x89, 0xe1}).sp_to == 1);
  CHECK(decoded({0x48, 0x8b, 0xe5}).sp_from == Instruction::kRbp);   // mov rsp, rbp
  const Instruction load = decoded({0x48, 0x8b, 0x4c, 0x24, 0x08});  // mov rcx, [rsp + 8]
  CHECK(load.sp_to == Instruction::kNothing);
  CHECK(load.sp_from == Instruction::kNothing);
  CHECK(load.pushed == Instruction::kNothing);
}

TEST_CASE("instructions are measured whatever their prefixes, operands and constants") {
  const Case cases[] = {
      {"nop", {0x66, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}},
      {"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}},
      {"mov [rsp + 0x28], rcx", {0x48, 0x89, 0x4c, 0x24, 0x28}},
      {"mov rax, 0x1122334455667788", {0x48, 0xb8, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11}},
      {"mov ax, 0x1122", {0x66, 0xb8, 0x22, 0x11}},
      {"test [rdx + 0x132], 0x380, 16 bits", {0x66, 0xf7, 0x82, 0x32, 0x01, 0, 0, 0x80, 0x03}},
      {"test [r15 + 0x20], rax", {0x49, 0x85, 0x47, 0x20}},
      {"not rax", {0x48, 0xf7, 0xd0}},
      {"lock cmpxchg [r10], rbx", {0xf0, 0x49, 0x0f, 0xb1, 0x1a}},
      {"imul rax, [rip], 0x10000", {0x48, 0x69, 0x05, 0, 0, 0, 0, 0, 0, 1, 0}},
      {"shl rax, 3", {0x48, 0xc1, 0xe0, 0x03}},
      {"movdqu [rsp + 0x70], xmm7", {0xf3, 0x0f, 0x7f, 0x7c, 0x24, 0x70}},
      {"pshufb xmm0, xmm1", {0x66, 0x0f, 0x38, 0x00, 0xc1}},
      {"palignr xmm0, xmm1, 4", {0x66, 0x0f, 0x3a, 0x0f, 0xc1, 0x04}},
      {"vmovdqu ymm3, [rsp + 0x40]", {0xc5, 0xfe, 0x6f, 0x5c, 0x24, 0x40}},
      {"vzeroupper", {0xc5, 0xf8, 0x77}},
      {"vpshufd xmm0, xmm1, 1", {0xc5, 0xf9, 0x70, 0xc1, 0x01}},
      {"vextractf128 [rsp], ymm1, 1", {0xc4, 0xe3, 0x7d, 0x19, 0x0c, 0x24, 0x01}},
      {"vmovdqu64 zmm17, [rsp + 0x80]", {0x62, 0xe1, 0xfe, 0x48, 0x6f, 0x4c, 0x24, 0x02}},
      {"kmovq [rsp + 8], k1", {0xc4, 0xe1, 0xf8, 0x91, 0x4c, 0x24, 0x08}},
  };
  for (const Case& expected : cases) check(expected);
}

TEST_CASE("jumps tell where they lead") {
  CHECK(decoded({0xe9, 0x10, 0, 0, 0}).target == 0x15);
  CHECK(decoded({0xeb, 0xfe}).target == 0);
  CHECK(decoded({0x0f, 0x85, 0, 1, 0, 0}).target == 0x106);
  CHECK(decoded({0x74, 0x05}).target == 7);
  check({"jmp", {0xe9, 0x10, 0, 0, 0}, 0, Instruction::kJump});
  check({"jmp short", {0xeb, 0xfe}, 0, Instruction::kJump});
  check({"jne", {0x0f, 0x85, 0, 1, 0, 0}, 0, Instruction::kBranch});
  check({"call", {0xe8, 0, 0, 0, 0}, 0, Instruction::kCall});
  check({"call r10", {0x41, 0xff, 0xd2}, 0, Instruction::kCall});
  check({"jmp rbx", {0xff, 0xe3}, 0, Instruction::kJumpAway});
  check({"hlt", {0xf4}, 0, Instruction::kTrap});
  check({"ud2", {0x0f, 0x0b}, 0, Instruction::kTrap});
  check({"ret", {0xc3}, 0, Instruction::kReturn});
}

TEST_CASE("damage: what is no instruction of 64-bit code, or cannot be read, is unknown and has no length") {
  CHECK(decoded({0x06}).length == 0);
  CHECK(decoded({0xd5, 0x40, 0x50}).length == 0);  // a prefix of registers that no machine of ours has (APX)
  CHECK(decoded({0x0f, 0x0f, 0xc1, 0x94}).length == 0);
  const std::vector<uint8_t> endless(20, 0x66);
  CHECK(decoded(endless).kind == Instruction::kUnknown);
}
