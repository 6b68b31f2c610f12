// SPDX-License-Identifier: Apache-2.0
#include "base/leb_word.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

Bytes leb(uint64_t value) {
  Bytes out;
  base::append_leb(value, out);
  return out;
}

Bytes padded(uint64_t value, size_t width) {
  Bytes out{0xaa};
  base::append_padded_leb(value, width, out);
  REQUIRE(out[0] == 0xaa);  // what was there stays
  return {out.begin() + 1, out.end()};
}

}  // namespace

TEST_CASE("golden: LEB128 ends with a byte below 0x80, or with the ninth") {
  CHECK(leb(0) == Bytes{0x00});
  CHECK(leb(127) == Bytes{0x7f});
  CHECK(leb(300) == Bytes{0xac, 0x02});
  CHECK(leb((uint64_t{1} << 56) - 1) == Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f});
  CHECK(leb(uint64_t{1} << 56) == Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01});
  CHECK(leb(~uint64_t{0}) == Bytes(9, 0xff));
}

TEST_CASE("leb_size() tells how many bytes a number takes") {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, ~uint64_t{0} >> bit}) {
      CAPTURE(value);
      CHECK(base::leb_size(value) == leb(value).size());
    }
  }
}

TEST_CASE("numbers that are written and read a word at a time are the same bytes") {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, ~uint64_t{0} >> bit}) {
      CAPTURE(value);
      Bytes bytes(2 * base::kLebMostBytes, 0xff);
      const size_t size = static_cast<size_t>(base::put_leb(value, bytes.data()) - bytes.data());
      CHECK(Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size)) == leb(value));
      uint64_t back = 0;
      CHECK(base::take_leb_word(bytes.data(), back) == (size > 8 ? 0 : size));
      CHECK(back == (size > 8 ? 0 : value));
    }
  }
}

TEST_CASE("golden: padded LEB128 takes the bytes it is given") {
  CHECK(padded(0, 1) == Bytes{0x00});
  CHECK(padded(5, 4) == Bytes{0x85, 0x80, 0x80, 0x00});
  CHECK(padded(300, 3) == Bytes{0xac, 0x82, 0x00});
  CHECK(padded((1u << 28) - 1, 4) == Bytes{0xff, 0xff, 0xff, 0x7f});
  CHECK(padded(0, 9) == Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00});
  CHECK(padded(~uint64_t{0}, 9) == leb(~uint64_t{0}));
}
