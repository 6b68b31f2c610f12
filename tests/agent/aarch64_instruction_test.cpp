// SPDX-License-Identifier: Apache-2.0
// Words as GNU's assembler writes them.
#include <doctest/doctest.h>

#include <initializer_list>

#include "agent/hotspot/aarch64/instruction.h"

namespace {

using rec::agent::aarch64::decode;
using rec::agent::aarch64::Instruction;

constexpr uint64_t kHere = 0x10000;

}  // namespace

TEST_CASE("aarch64: where an instruction goes on is told by its word") {
  CHECK(decode(0x97fffffb, kHere).kind == Instruction::kCall);  // bl -20
  CHECK(decode(0x97fffffb, kHere).target == kHere - 20);
  CHECK(decode(0x17fffff1, kHere).kind == Instruction::kJump);  // b -60
  CHECK(decode(0x17fffff1, kHere).target == kHere - 60);
  CHECK(decode(0x54000048, kHere).kind == Instruction::kBranch);  // b.hi +8
  CHECK(decode(0x54000048, kHere).target == kHere + 8);
  CHECK(decode(0xb5000062, kHere).target == kHere + 12);            // cbnz x2, +12
  CHECK(decode(0x361ff520, kHere).kind == Instruction::kBranch);    // tbz w0, #3
  CHECK(decode(0xd63f0100, kHere).kind == Instruction::kCall);      // blr x8
  CHECK(decode(0xd61f02e0, kHere).kind == Instruction::kJumpAway);  // br x23
  CHECK(decode(0xd61f02e0, kHere).through == 23);
  CHECK(decode(0xd65f03c0, kHere).kind == Instruction::kReturn);  // ret
  CHECK(decode(0xd65f03c0, kHere).through == Instruction::kLink);
  CHECK(decode(0xd65f0bff, kHere).kind == Instruction::kReturn);  // retaa
  CHECK(decode(0xd65f0bff, kHere).through == Instruction::kLink);
  CHECK(decode(0xd4200020, kHere).kind == Instruction::kTrap);          // brk
  CHECK(decode(0x00000000, kHere).kind == Instruction::kTrap);          // udf
  for (const uint32_t plain : {0xd4000001u, 0xd503233fu, 0xd503201fu})  // svc, paciasp, nop
    CHECK(decode(plain, kHere).kind == Instruction::kPlain);
}

TEST_CASE("aarch64: what an instruction does to sp is told by its word") {
  CHECK(decode(0xd100c3ff, kHere).sp_up == -0x30);  // sub sp, sp, #0x30
  CHECK(decode(0x9100c3ff, kHere).sp_up == 0x30);   // add sp, sp, #0x30
  CHECK(decode(0xa9bf7bfd, kHere).sp_up == -16);    // stp x29, x30, [sp, #-16]!
  CHECK(decode(0xa8c17bfd, kHere).sp_up == 16);     // ldp x29, x30, [sp], #16
  CHECK(decode(0xa9027bfd, kHere).sp_up == 0);      // stp x29, x30, [sp, #32]
  CHECK(decode(0x910003bf, kHere).sp_from == 29);   // mov sp, x29
  CHECK(decode(0x910043bf, kHere).sp_from == 29);   // add sp, x29, #16
  CHECK(decode(0x910043bf, kHere).sp_up == 16);
  CHECK(decode(0x927cee9f, kHere).sp_from == 20);  // and sp, x20, #-16
  CHECK(decode(0xcb2863ff, kHere).sp_lost);        // sub sp, sp, x8
  CHECK_FALSE(decode(0xeb2863ff, kHere).sp_lost);  // cmp sp, x8
  CHECK(decode(0xd14053e9, kHere).sp_up == 0);     // sub x9, sp, #0x14, lsl #12
  CHECK(decode(0xf8408420, kHere).sp_up == 0);     // ldr x0, [x1], #8
  CHECK(decode(0x910003e8, kHere).copy_of == 31);  // mov x8, sp
  CHECK(decode(0x0cdf2fe0, kHere).sp_up == 32);    // ld1 {v0.1d-v3.1d}, [sp], #32
  CHECK(decode(0x4cdf2fe0, kHere).sp_up == 64);    // ld1 {v0.2d-v3.2d}, [sp], #64
  CHECK(decode(0x0cdf7fe0, kHere).sp_up == 8);     // ld1 {v0.1d}, [sp], #8
  CHECK(decode(0x0c402fe0, kHere).sp_up == 0);     // ld1 {v0.1d-v3.1d}, [sp]
  CHECK(decode(0x0cdf2c00, kHere).written == 0);   // ld1 {v0.1d-v3.1d}, [x0], #32
  CHECK(decode(0x0c882fe0, kHere).sp_lost);        // st1 {v0.1d-v3.1d}, [sp], x8
}

TEST_CASE("aarch64: what is loaded and stored by sp is told by the word") {
  const Instruction store = decode(0xa9bf7bfd, kHere);  // stp x29, x30, [sp, #-16]!
  CHECK(store.stores(Instruction::kLink));
  CHECK(store.place_of(Instruction::kLink) == -8);
  const Instruction load = decode(0xa8c17bfd, kHere);  // ldp x29, x30, [sp], #16
  CHECK(load.loads(Instruction::kFp));
  CHECK(load.place_of(Instruction::kFp) == 0);
  CHECK(load.place_of(Instruction::kLink) == 8);
  CHECK(decode(0xf85f83e3, kHere).at == -8);  // ldur x3, [sp, #-8]
  CHECK(decode(0xf85f83e3, kHere).loads(3));
  CHECK_FALSE(decode(0xb9001be3, kHere).stores(3));  // str w3, [sp, #24]: half of it
  CHECK_FALSE(decode(0xa9057bfd, kHere).loads(29));  // stp
  CHECK(decode(0xf2a0002c, kHere).written == 12);    // movk x12, #1, lsl #16
  CHECK(decode(0xc85f7ca4, kHere).written == 4);     // ldxr x4, [x5]
  CHECK(decode(0xaa1e03f7, kHere).copy_of == 30);    // mov x23, x30
}
