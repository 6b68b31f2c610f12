// SPDX-License-Identifier: Apache-2.0
// HotSpot's compressed line tables, in the coding to 19 (excess 0) and from 20 on (excess 1), in a ConstMethod that we
// made: a flag, its size in words, the size of its bytecodes, these, and the table.
#include "agent/hotspot/vm/line_reader.h"

#include <doctest/doctest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "recorder/spool/line_table.h"

using namespace rec::agent;
using rec::line_of;

namespace {

using Bytes = std::vector<uint8_t>;
using Lines = std::vector<std::pair<int32_t, int32_t>>;

constexpr uint32_t kHasLines = 4;
constexpr uint32_t kHeader = 16;

Layout layout_of(uint32_t excess) {
  Layout layout;
  layout.unsigned5_excess = excess;
  layout.const_method.flags = 0;
  layout.const_method.has_lines = kHasLines;
  layout.const_method.size = 4;
  layout.const_method.code_size = 8;
  layout.const_method.header = kHeader;
  return layout;
}

// A method without bytecodes and with this table; `slack` bytes are between the table and its end.
struct Method {
  explicit Method(const Bytes& table, size_t slack = 8) : words((kHeader + table.size() + slack + 7) / 8) {
    auto* bytes = reinterpret_cast<uint8_t*>(words.data());
    const uint32_t flags = kHasLines, size = static_cast<uint32_t>((kHeader + table.size() + slack) / 8);
    std::memcpy(bytes, &flags, sizeof flags);
    std::memcpy(bytes + 4, &size, sizeof size);
    std::memcpy(bytes + kHeader, table.data(), table.size());
  }
  uint64_t address() const { return reinterpret_cast<uint64_t>(words.data()); }
  std::vector<uint64_t> words;
};

Lines lines_of(const Method& method, uint32_t excess) {
  LineReader reader(layout_of(excess), method.address());
  Lines all;
  for (LineReader::Entry entry; reader.next(entry);) all.emplace_back(entry.bci, entry.line);
  return all;
}

// As the recorder has it; empty when it is refused.
Bytes recorded(const Method& method, uint32_t excess) {
  const Layout layout = layout_of(excess);
  Bytes table(measure_lines(layout, method.address()));
  CHECK(write_lines(layout, method.address(), table));
  return table;
}

// UNSIGNED5 as HotSpot writes it: 192 low codes without an excess, 191 with one.
void put(Bytes& to, uint32_t value, uint32_t excess) {
  const uint32_t low_codes = 192 - excess;
  for (int i = 0; i < 4 && value >= low_codes; ++i) {
    const uint32_t high = value - low_codes;
    to.push_back(static_cast<uint8_t>(excess + low_codes + high % 64));
    value = high / 64;
  }
  to.push_back(static_cast<uint8_t>(excess + value));
}

uint32_t sign_folded(int32_t value) { return static_cast<uint32_t>(value) << 1 ^ (value < 0 ? ~0u : 0u); }

// One entry at bci, in the long form, and then one at bci + 1, a line further, in the short one.
Bytes table_of(int32_t bci, int32_t line, uint32_t excess) {
  Bytes table = {0xff};
  put(table, sign_folded(bci), excess);
  put(table, sign_folded(line), excess);
  table.push_back(1 << 3 | 1);
  table.push_back(0);
  return table;
}

}  // namespace

TEST_CASE("line reader: every line reads back, in both codings, where numbers grow a byte too") {
  for (const uint32_t excess : {0u, 1u})
    for (int32_t line = 1; line < 20'000; ++line) {
      const Method method(table_of(40, line, excess));
      REQUIRE(lines_of(method, excess) == Lines{{40, line}, {41, line + 1}});
      const Bytes table = recorded(method, excess);
      REQUIRE(line_of(table, 40) == line);
      REQUIRE(line_of(table, 41) == line + 1);
    }
}

TEST_CASE("line reader: a byte stored as 192 goes on with the next byte") {
  const Method method({0xff, 1, 209, 4, 0xff, 3, 192, 2, 0});  // bci 0: line 200; bci 1: 191 + 64, folded, is -128
  CHECK(lines_of(method, 1) == Lines{{0, 200}, {1, 72}});
  CHECK(line_of(recorded(method, 1), 0) == 200);
  CHECK(line_of(recorded(method, 1), 1) == 72);
}

TEST_CASE("golden: a line table of HotSpot, entry by entry, in both codings") {
  const Method method({0 << 3 | 3, 4 << 3 | 2, 8 << 3 | 1, 0});
  for (const uint32_t excess : {0u, 1u}) {
    CHECK(lines_of(method, excess) == Lines{{0, 3}, {4, 5}, {12, 6}});
    CHECK(line_of(recorded(method, excess), 11) == 5);
    CHECK(line_of(recorded(method, excess), 65535) == 6);
  }
}

TEST_CASE("golden: escaped entries carry signed numbers in UNSIGNED5, whose bytes are one more from JDK 20 on") {
  // bci +10 (zigzag 20), line +1000 (2000 = 192 + 16 mod 64 ...): 2000 = 208 + 28 * 64
  CHECK(lines_of(Method({0xFF, 20, 208, 28, 0}), 0) == Lines{{10, 1000}});
  CHECK(lines_of(Method({0xFF, 21, 209, 29, 0}), 1) == Lines{{10, 1000}});
  // then line -3 (zigzag 5) at bci +2 (zigzag 4)
  CHECK(lines_of(Method({0xFF, 21, 209, 29, 0xFF, 5, 6, 0}), 1) == Lines{{10, 1000}, {12, 997}});
}

TEST_CASE("line reader: with excess 0 a number may be the byte 0, which is no end then") {
  const Method method({0xFF, 0, 0, 1 << 3 | 1, 0});
  CHECK(lines_of(method, 0) == Lines{{0, 0}, {1, 1}});
  CHECK(recorded(method, 0).size() == 2);
}

TEST_CASE("damage: a line table without an end gives what can be read, and is not recorded") {
  const Bytes endless = {3, 4 << 3 | 2, 8, 8, 8, 8, 8, 8};
  const Method method(endless, 0);
  CHECK(lines_of(method, 1).size() == endless.size());
  CHECK(measure_lines(layout_of(1), method.address()) == 0);
}

TEST_CASE("damage: a line table with numbers that no class file has is not recorded") {
  Bytes table = {0xff};
  put(table, sign_folded(-5), 1);
  put(table, sign_folded(10), 1);
  table.push_back(0);
  CHECK(measure_lines(layout_of(1), Method(table).address()) == 0);
  CHECK(measure_lines(layout_of(1), Method(table_of(1, 70'000, 1)).address()) == 0);
}

TEST_CASE("a method without the flag has no lines") {
  Method method({3, 0});
  method.words[0] = 0;
  CHECK(lines_of(method, 1).empty());
  CHECK(measure_lines(layout_of(1), method.address()) == 0);
}

TEST_CASE("damage: a table that has changed between measuring and writing is given up") {
  const Layout layout = layout_of(1);
  Bytes room(8);
  CHECK_FALSE(write_lines(layout, Method({3, 4 << 3 | 2, 0}).address(), room));
}
