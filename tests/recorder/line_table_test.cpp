// SPDX-License-Identifier: Apache-2.0
// Line tables as the spool keeps them.
#include "recorder/spool/line_table.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using rec::line_of;
using rec::LineTableWriter;

namespace {

using Bytes = std::vector<uint8_t>;

Bytes table_of(const std::vector<std::pair<int32_t, int32_t>>& entries) {
  LineTableWriter counted;
  for (const auto& [bci, line] : entries) REQUIRE(counted.add(bci, line));
  Bytes table(counted.size());
  LineTableWriter written(table);
  for (const auto& [bci, line] : entries) REQUIRE(written.add(bci, line));
  REQUIRE(written.size() == table.size());
  return table;
}

}  // namespace

TEST_CASE("golden: a line table gives the line of the last entry at or before the bytecode") {
  const Bytes table = {0 << 3 | 3, 4 << 3 | 2, 8 << 3 | 1};  // bci 0: 3, 4: 5, 12: 6
  CHECK(table_of({{0, 3}, {4, 5}, {12, 6}}) == table);
  CHECK(line_of(table, 0) == 3);
  CHECK(line_of(table, 3) == 3);
  CHECK(line_of(table, 4) == 5);
  CHECK(line_of(table, 11) == 5);
  CHECK(line_of(table, 65535) == 6);
  CHECK(line_of({}, 7) == 0);
}

TEST_CASE("golden: what a byte does not hold stands as two numbers behind an escape") {
  const Bytes table = {0xFF, 10, 0, 0xE8, 3, 0xFF, 12, 0, 0xE5, 3};
  CHECK(table_of({{10, 1000}, {12, 997}}) == table);
  CHECK(line_of(table, 9) == 0);
  CHECK(line_of(table, 10) == 1000);
  CHECK(line_of(table, 12) == 997);
  CHECK(table_of({{31, 7}}) == Bytes{0xFF, 31, 0, 7, 0});  // else it would look like an escape
}

TEST_CASE("line table: every line reads back, whatever the step to it") {
  for (int32_t line = 0; line <= 65535; line += 7) {
    const Bytes table = table_of({{40, line}, {41, 65535 - line}, {41 + line % 64, line % 9}});
    REQUIRE(line_of(table, 40) == line);
    REQUIRE(line_of(table, 41) == 65535 - line);
    if (line % 64 != 0) REQUIRE(line_of(table, static_cast<uint16_t>(41 + line % 64)) == line % 9);
  }
}

TEST_CASE("line table: entries out of order count by their bytecode") {
  const Bytes table = table_of({{0, 1}, {20, 9}, {10, 5}});
  CHECK(line_of(table, 9) == 1);
  CHECK(line_of(table, 15) == 5);
  CHECK(line_of(table, 30) == 9);
}

TEST_CASE("damage: a line table that is cut in an escape gives what was read before") {
  const Bytes cut = {3, 0xFF, 21};
  CHECK(line_of(cut, 100) == 3);
  CHECK(line_of(Bytes{0xFF}, 100) == 0);
}

TEST_CASE("damage: numbers that no class file has, and more than there is room for, are refused") {
  LineTableWriter counted;
  CHECK_FALSE(counted.add(-1, 1));
  CHECK_FALSE(counted.add(65536, 1));
  CHECK_FALSE(counted.add(1, 65536));
  CHECK_FALSE(counted.add(1, -1));
  CHECK(counted.size() == 0);
  Bytes room(5);
  LineTableWriter written(room);
  CHECK(written.add(1, 1));
  CHECK_FALSE(written.add(2, 100));
  CHECK(written.size() == 1);
  uint32_t added = 0;
  while (counted.add(1, 1)) ++added;
  CHECK(added == rec::kMaxLineTableBytes);
}
