// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <ucontext.h>

#include <cstring>
#include <functional>
#include <vector>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/scopes.h"
#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/walk/native_unwind.h"

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
