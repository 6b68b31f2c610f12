// SPDX-License-Identifier: Apache-2.0
// Rows of unwind tables that are remembered.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "agent/hotspot/walk/native_rows.h"

using namespace rec::agent;

TEST_CASE("a row in a word gives back what it was made of") {
  NativeRow row(true, 4096 + 8, 77);
  row.save(0, -24);   // rbx
  row.save(1, -16);   // rbp
  row.save(5, -128);  // r15
  CHECK(row);
  CHECK(row.by_fp());
  CHECK(row.size() == 4096 + 8);
  CHECK(row.into() == 77);
  CHECK(row.saved_at(0) == -24);
  CHECK(row.saved_at(1) == -16);
  CHECK(row.saved_at(2) == 0);
  CHECK(row.saved_at(5) == -128);
  const NativeRow most(false, NativeRow::kMostSize, NativeRow::kMostInto);
  CHECK(most.size() == NativeRow::kMostSize);
  CHECK(most.into() == NativeRow::kMostInto);
  CHECK_FALSE(most.by_fp());
}

TEST_CASE("a row takes registers to the caller, and leaves alone what the function kept") {
  uint64_t stack[8] = {0, 0, 0xbb, 0xb9, 0x12345, 0, 0, 0};  // rbx, rbp, return address
  NativeRow row(false, 5 * 8, 0);
  row.save(0, -24);
  row.save(1, -16);
  Registers registers;
  registers[Registers::kSp] = reinterpret_cast<uint64_t>(stack);
  registers[Registers::kR12] = 12;
  REQUIRE(row.apply(registers));
  CHECK(registers.pc() == 0x12345);
  CHECK(registers.sp() == reinterpret_cast<uint64_t>(stack + 5));
  CHECK(registers.fp() == 0xb9);
  CHECK(registers[Registers::kRbx] == 0xbb);
  CHECK(registers[Registers::kR12] == 12);
}

TEST_CASE("a remembered row is found by its place in the file and its library only") {
  const auto rows = std::make_unique<NativeRows>();
  const NativeRow row(false, 64, 5);
  CHECK_FALSE(rows->find(0x7f0000001000, 3));
  rows->enter(0x7f0000001000, 3, row);
  CHECK(rows->find(0x7f0000001000, 3).bits() == row.bits());
  CHECK_FALSE(rows->find(0x7f0000001000, 4));
  CHECK_FALSE(rows->find(0x7f0000001001, 3));
}

TEST_CASE("race: who reads a row while others write finds it whole, or none") {
  const auto rows = std::make_unique<NativeRows>();
  std::atomic<bool> stop{false};
  // Rows that tell by themselves of which pc they are; all in few places, since the pcs are alike.
  const auto row_of = [](uint64_t pc) { return NativeRow(false, (pc % 1000 + 1) * 8, pc % 4096); };
  const auto write = [&](uint64_t seed) {
    for (uint64_t pc = seed; !stop.load(std::memory_order_relaxed); pc += 977) {
      const uint64_t near = 0x7f0000000000 + pc % 50'000;
      rows->enter(near, 1, row_of(near));
    }
  };
  std::thread one(write, 1), other(write, 2);
  uint64_t found = 0, wrong = 0;
  for (uint64_t i = 0; i < 2'000'000; ++i) {
    const uint64_t pc = 0x7f0000000000 + i * 31 % 50'000;
    const NativeRow row = rows->find(pc, 1);
    found += row ? 1 : 0;
    wrong += row && row.bits() != row_of(pc).bits() ? 1 : 0;
  }
  stop.store(true, std::memory_order_relaxed);
  one.join();
  other.join();
  CHECK(found > 0);
  CHECK(wrong == 0);
}
