// SPDX-License-Identifier: Apache-2.0
// HotSpot's compressed line tables, in the coding to 19 (excess 0) and from 20 on (excess 1).
#include "recorder/spool/line_table.h"

#include <doctest/doctest.h>

#include <vector>

using rec::line_of;
using rec::LineTableScanner;

namespace {

using Bytes = std::vector<uint8_t>;

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

size_t scanned(const Bytes& table) {
  LineTableScanner scanner;
  for (size_t i = 0; i < table.size(); ++i)
    if (scanner.ends_with(table[i])) return i + 1;
  return 0;
}

}  // namespace

TEST_CASE("line table: every line reads back, in both codings, where numbers grow a byte too") {
  for (const uint32_t excess : {0u, 1u})
    for (int32_t line = 1; line < 20'000; ++line) {
      const Bytes table = table_of(40, line, excess);
      REQUIRE(line_of(table, excess, 40) == line);
      REQUIRE(line_of(table, excess, 41) == line + 1);
      REQUIRE(scanned(table) == table.size());
    }
}

TEST_CASE("line table: a byte stored as 192 goes on with the next byte") {
  const Bytes table = {0xff, 1, 209, 4, 0xff, 3, 192, 2, 0};  // bci 0: line 200; bci 1: 191 + 64, folded, is -128
  CHECK(line_of(table, 1, 0) == 200);
  CHECK(line_of(table, 1, 1) == 72);
  CHECK(scanned(table) == table.size());
}
