// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/interpreter_map.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "agent/hotspot/x86_64/instruction.h"

using namespace rec::agent::x86_64;

namespace {

uint64_t address_of(const uint8_t* code) { return reinterpret_cast<uint64_t>(code); }

}  // namespace

TEST_CASE("the interpreter's way out by an exception is known at every instruction") {
  // JDK 17: leave; pop rdx; mov rsp,rbx; mov rax,[r15+x]; mov [r15+x],0; push rax; push rdx; mov rsi,rdx; mov rdi,r15;
  // test rsp,15; je aligned; sub rsp,8; call; add rsp,8; jmp on; aligned: call; on: mov rbx,rax; pop rdx; pop rax; jmp rbx
  const uint8_t code[] = {0xc9, 0x5a, 0x48, 0x8b, 0xe3, 0x49, 0x8b, 0x87, 0xe8, 0x02, 0x00, 0x00, 0x49, 0xc7, 0x87,
                          0xe8, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x50, 0x52, 0x48, 0x8b, 0xf2, 0x49, 0x8b,
                          0xff, 0xf7, 0xc4, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x84, 0x12, 0x00, 0x00, 0x00, 0x48, 0x83,
                          0xec, 0x08, 0xe8, 0xa4, 0x0a, 0x7a, 0x16, 0x48, 0x83, 0xc4, 0x08, 0xe9, 0x05, 0x00, 0x00,
                          0x00, 0xe8, 0x96, 0x0a, 0x7a, 0x16, 0x48, 0x8b, 0xd8, 0x5a, 0x58, 0xff, 0xe3};
  const uint64_t begin = address_of(code);
  InterpreterMap map;
  map.add_exits(begin, begin + sizeof code);
  CHECK(map.exit_at(begin) == nullptr);
  const InterpreterExit* exit = map.exit_at(begin + 1);
  REQUIRE(exit != nullptr);
  CHECK(exit == map.exit_at(begin + sizeof code - 1));
  CHECK(exit->return_register == Registers::kRdx);
  CHECK(exit->sender_register == Registers::kRbx);
  CHECK(exit->after_move == begin + 5);
  for (const uint64_t at : {1, 2, 5, 23, 24, 70, 71}) CHECK_FALSE(exit->is_pushed(begin + at));
  for (const uint64_t at : {25, 47, 52, 66, 69}) CHECK(exit->is_pushed(begin + at));
  CHECK(exit->return_above(begin + 25) == 0);
  CHECK(exit->return_above(begin + 52) == 8);  // behind the call that had to be aligned
  CHECK(exit->return_above(begin + 66) == 0);
  CHECK(exit->exception_above(begin + 23) == 0);
  CHECK(exit->exception_above(begin + 24) == 8);
  CHECK(exit->exception_above(begin + 70) == 8);
  CHECK(exit->exception_above(begin + 71) == 0);
}

TEST_CASE("an entry without a frame tells where its return address is, also when it has saved registers") {
  // push r8; call; pop r8; pop rdi; mov rsp,r13; jmp rdi
  const uint8_t code[] = {0x41, 0x50, 0xe8, 0, 0, 0, 0, 0x41, 0x58, 0x5f, 0x49, 0x8b, 0xe5, 0xff, 0xe7};
  const uint64_t begin = address_of(code);
  const InterpreterEntry entry{begin, begin + sizeof code, 0, 0};
  CHECK(entry.return_above(begin) == 0);
  CHECK(entry.return_above(begin + 2) == 8);
  CHECK(entry.return_above(begin + 7) == 8);
  CHECK(entry.return_above(begin + 9) == 0);
  CHECK(entry.return_above(begin + 10) == static_cast<uint64_t>(-8));
  CHECK(entry.jumps_back_through(begin + 10) == Instruction::kNothing);
  CHECK(entry.jumps_back_through(begin + 13) == 7);
}
