// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <ucontext.h>

#include <array>
#include <cstring>
#include <functional>
#include <vector>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/scopes.h"
#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/walk/native_unwind.h"
#include "agent/hotspot/walk/unwind_row.h"

using namespace rec::agent;

namespace {

Registers here(const ucontext_t& context) {
  const auto& g = context.uc_mcontext.gregs;
  Registers r;
  const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                       REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int i = 0; i < Registers::kCount; ++i) r.values[static_cast<size_t>(i)] = static_cast<uint64_t>(g[order[i]]);
  return r;
}

struct Places {
  uint64_t inner = 0, middle = 0;  // where the functions return to
  std::function<void(Registers)> while_standing;
};

[[gnu::noinline]] void inner(Places& places) {
  places.inner = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  ucontext_t context;
  getcontext(&context);
  places.while_standing(here(context));
}

[[gnu::noinline]] void middle(Places& places, int depth) {
  char room[300];
  std::memset(room, depth, sizeof room);
  places.middle = reinterpret_cast<uint64_t>(__builtin_return_address(0));  // before inner() looks
  inner(places);
  asm volatile("" : : "r"(room) : "memory");
}

}  // namespace

TEST_CASE("native frames are unwound by the tables that libraries carry") {
  static NativeModules modules;
  modules.refresh();
  Places places;
  places.while_standing = [&](Registers registers) {
    REQUIRE(unwind_native(modules, registers, true));
    CHECK(registers.pc() == places.inner);
    REQUIRE(unwind_native(modules, registers, false));
    CHECK(registers.pc() == places.middle);
    int frames = 0;  // on to the C library's start of the thread
    for (; frames < 200 && unwind_native(modules, registers, false); ++frames) CHECK(registers.pc() != 0);
    CHECK(frames > 3);
  };
  middle(places, 3);
}

TEST_CASE("what is remembered of a table unwinds as the table does, and names the function") {
  static NativeModules modules;
  modules.refresh();
  Places places;
  places.while_standing = [&](Registers registers) {
    for (int i = 0; i < 8; ++i) {
      Registers first = registers, again = registers;
      NativePlace place, place_again;
      const Unwound how = unwind_native(modules, first, i == 0, place);
      CHECK(unwind_native(modules, again, i == 0, place_again) == how);
      CHECK(place.address == place_again.address);
      CHECK(place.library == place_again.library);
      CHECK(place.library != kNoLibrary);
      if (how != Unwound::kCaller) break;
      CHECK(first.values == again.values);
      CHECK(library_numbered(place.library) != nullptr);
      registers = first;
    }
  };
  middle(places, 2);
}

// The caller's frame begins 16 above sp, with its pc below; a register lies where the expression says, from the CFA on.
TEST_CASE("a register whose expression is not known is lost, and the caller is found all the same") {
  alignas(8) std::array<uint64_t, 8> stack{};
  stack[1] = 0x1234;
  stack[3] = 77;
  std::vector<uint8_t> expression;
  uint64_t expected = 77;
  SUBCASE("lit8 minus const4s -64 and const4s 16 plus") {
    expression = {13, 0x38, 0x1c, 0x0d, 0xc0, 0xff, 0xff, 0xff, 0x1a, 0x0d, 16, 0, 0, 0};  // and one is missing: plus
    expression.push_back(0x22);
    expression[0] = 14;
    expected = Registers::kUnknown;  // computed below, as it depends on where the stack lies
  }
  SUBCASE("const2s 8 plus") { expression = {4, 0x0b, 8, 0, 0x22}; }
  SUBCASE("const1u 8 plus") { expression = {3, 0x08, 8, 0x22}; }
  SUBCASE("const2u 8 plus") { expression = {4, 0x0a, 8, 0, 0x22}; }
  SUBCASE("const4u 8 plus") { expression = {6, 0x0c, 8, 0, 0, 0, 0x22}; }
  SUBCASE("an operation that nobody knows") {
    expression = {2, 0xe9, 0x22};
    expected = Registers::kUnknown;
  }
  const auto sp = reinterpret_cast<uint64_t>(stack.data());
  if (expression[0] == 14) {
    const uint64_t place = ((sp + 16 - 8) & ~uint64_t{63}) + 16;
    if (place < sp || place >= sp + sizeof stack) return;
    expected = stack[(place - sp) / 8];
  }
  UnwindRow row;
  row.cfa_offset = 16;
  row.rules[Registers::kReturnColumn] = UnwindRow::Rule::kOffset;
  row.values[Registers::kReturnColumn] = -8;
  row.rules[Registers::kR15] = UnwindRow::Rule::kExpression;
  row.values[Registers::kR15] = static_cast<int64_t>(reinterpret_cast<uint64_t>(expression.data()));
  Registers registers;
  registers[Registers::kSp] = sp;
  REQUIRE(row.apply(registers));
  CHECK(registers.pc() == 0x1234);
  CHECK(registers.sp() == sp + 16);
  CHECK(registers[Registers::kR15] == expected);
  row.rules[Registers::kReturnColumn] = UnwindRow::Rule::kExpression;
  row.values[Registers::kReturnColumn] = row.values[Registers::kR15];
  registers[Registers::kSp] = sp;
  CHECK(row.apply(registers) == (expected != Registers::kUnknown));  // pc has to be known
}

TEST_CASE(
    "damage: a pc in no module, or registers full of rubbish, end the unwinding; the function is found all the same") {
  static NativeModules modules;
  modules.refresh();
  Registers registers;
  CHECK_FALSE(unwind_native(modules, registers, true));
  install_fault_handler();
  Places places;
  places.while_standing = [&](Registers standing) {
    standing[Registers::kRsp] = 64;
    standing[Registers::kRbp] = 64;
    CHECK_FALSE(unwind_native(modules, standing, true));
  };
  middle(places, 1);
  const auto begin = reinterpret_cast<uint64_t>(&middle);
  NativeModule module;
  REQUIRE(modules.find(begin, module));
  for (const uint64_t pc : {begin, begin + 9, begin + 9}) {  // read, and remembered
    const NativePlace place = native_place_of(modules, pc);
    CHECK(place.library == module.number);
    CHECK(place.address == begin - module.bias);
  }
  CHECK(native_place_of(modules, reinterpret_cast<uint64_t>(&module)).library == kNoLibrary);
}

TEST_CASE("golden: UNSIGNED5 numbers of both codings") {
  const uint8_t old_coding[] = {0x00, 0xbf, 0xc0, 0x00, 0xc1, 0x05};  // 0, 191, 192, 193 + 5 * 64
  const uint8_t new_coding[] = {0x01, 0xbf, 0xc0, 0x01, 0xc2, 0x06};  // 0, 190, 191, 193 + 5 * 64
  const auto read_all = [](const uint8_t* bytes, uint32_t excess) {
    std::vector<uint32_t> values;
    uint64_t at = reinterpret_cast<uint64_t>(bytes);
    for (int i = 0; i < 4; ++i) {
      uint32_t value = 0;
      CHECK(read_unsigned5(at, excess, value));
      values.push_back(value);
    }
    CHECK(at == reinterpret_cast<uint64_t>(bytes) + 6);
    return values;
  };
  CHECK(read_all(old_coding, 0) == std::vector<uint32_t>{0, 191, 192, 193 + 5 * 64});
  CHECK(read_all(new_coding, 1) == std::vector<uint32_t>{0, 190, 191, 193 + 5 * 64});
}
