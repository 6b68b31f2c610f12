// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "base/leb128.h"
#include "format/reader/cursor.h"
#include "format/reader/high_bits.h"
#include "format/reader/wire_string.h"
#include "tests/format/reader_builder.h"

using jfr::read::Cursor;
using test::Bytes;

namespace {

uint64_t leb_of(const Bytes& bytes) {
  Cursor in(bytes, 0);
  const uint64_t value = in.leb();
  CHECK(in.ok());
  CHECK(in.remaining() == 0);
  return value;
}

std::string text_of(const Bytes& bytes) {
  Cursor in(bytes, 0);
  std::string text;
  jfr::read::append_text(read_wire_string(in), text);
  CHECK(in.ok());
  CHECK(in.remaining() == 0);
  return text;
}

bool refuses_string(const Bytes& bytes) {
  Cursor in(bytes, 0);
  jfr::read::skip_wire_string(in);
  return !in.ok();
}

}  // namespace

TEST_CASE("golden: integers decode as the format page lists them") {
  CHECK(leb_of({0x00}) == 0);
  CHECK(leb_of({0x7f}) == 127);
  CHECK(leb_of({0x80, 0x01}) == 128);
  CHECK(leb_of({0x80, 0x80, 0x01}) == 16384);
  CHECK(leb_of({0xa8, 0x9e, 0xc5, 0xaf, 0x03}) == 905006888);
  CHECK(leb_of({0xdf, 0x80, 0x80, 0x00}) == 95);
  CHECK(leb_of({0xa4, 0xc4, 0x80, 0x00}) == 8740);
  CHECK(static_cast<int64_t>(leb_of({0xf1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})) == -15);
  CHECK(static_cast<int64_t>(leb_of({0xf1, 0xf6, 0xaf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})) == -1311887);
  CHECK(leb_of({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}) == uint64_t{1} << 63);
}

TEST_CASE("golden: strings decode in all their forms") {
  CHECK(text_of({0x04, 0x07, 0x47, 0x43, 0x20, 0x57, 0x68, 0x65, 0x6e}) == "GC When");
  CHECK(text_of({0x03, 0x04, 0x6d, 0x61, 0x69, 0x6e}) == "main");
  CHECK(text_of({0x01}).empty());
  CHECK(text_of({0x00}).empty());
  CHECK(text_of({0x04, 0x01, 0xa2, 0xde, 0x01}) == "\u6f22");
  CHECK(text_of({0x03, 0x03, 0xe6, 0xbc, 0xa2}) == "\u6f22");
  CHECK(text_of({0x05, 0x02, 0x61, 0xe9}) == "a\u00e9");
}

TEST_CASE("text is valid UTF-8 whatever the bytes") {
  CHECK(text_of({0x03, 0x02, 0xc0, 0x80}) == "\ufffd\ufffd");                               // modified UTF-8's NUL
  CHECK(text_of({0x03, 0x03, 0xed, 0xa0, 0xbd}) == "\ufffd");                               // half of a pair
  CHECK(text_of({0x03, 0x07, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x41}) == "\U0001f600A");  // both
  CHECK(text_of({0x03, 0x01, 0xe6}) == "\ufffd");                                           // cut short
  CHECK(text_of({0x04, 0x02, 0xbd, 0xb0, 0x03, 0x80, 0xbc, 0x03}) == "\U0001f600");         // a pair of chars
  CHECK(text_of({0x04, 0x01, 0xbd, 0xb0, 0x03}) == "\ufffd");                               // a lone one
}

TEST_CASE("a null string and an empty one are told apart") {
  const Bytes bytes = {0x00, 0x01};
  Cursor in(bytes, 0);
  CHECK(read_wire_string(in).form == jfr::read::StringForm::kNull);
  CHECK(read_wire_string(in).form == jfr::read::StringForm::kEmpty);
}

TEST_CASE("damage: a string that claims more than there is fails, and so does an unknown form") {
  CHECK(refuses_string({0x03, 0x05, 'a', 'b'}));
  CHECK(refuses_string({0x04, 0xff, 0xff, 0xff, 0xff, 0x0f, 'a'}));
  CHECK(refuses_string({0x06, 0x01, 'a'}));
  CHECK(refuses_string({}));
}

TEST_CASE("damage: a failed cursor stays failed and yields zeros") {
  const Bytes bytes = {0x05, 0x80};
  Cursor in(bytes, 0);
  CHECK(in.leb() == 5);
  CHECK(in.leb() == 0);
  CHECK_FALSE(in.ok());
  CHECK(in.u8() == 0);
  CHECK(in.be64() == 0);
  CHECK(in.remaining() == 0);
}

TEST_CASE("skipping integers by eight bytes lands where reading them one by one does") {
  Bytes bytes;
  const uint64_t values[] = {0,  127, 128,        1ull << 20, ~0ull, 1ull << 63, 5, 1ull << 55,
                             77, 300, 1ull << 56, 0,          ~0ull, ~0ull,      1};
  for (int round = 0; round < 40; ++round)
    for (size_t i = 0; i < std::size(values); ++i)
      test::RecordingBuilder::leb(bytes, values[(i * 7 + static_cast<size_t>(round)) % std::size(values)]);
  for (uint64_t count = 0; count <= 40 * std::size(values); ++count) {
    Cursor slow(bytes, 0), fast(bytes, 0);
    for (uint64_t i = 0; i < count; ++i) slow.leb();
    fast.skip_lebs(count);
    REQUIRE(fast.ok());
    REQUIRE(fast.at() == slow.at());
  }
  Cursor beyond(bytes, 0);
  beyond.skip_lebs(40 * std::size(values) + 1);
  CHECK_FALSE(beyond.ok());
}

TEST_CASE("integers that are too long are noticed when they are passed over") {
  std::mt19937 random(5);
  for (int round = 0; round < 3'000; ++round) {
    Bytes bytes;
    for (int i = 0; i < 60; ++i)
      if (random() % 40 == 0)
        base::append_padded_leb(random() % 200, 3 + random() % 7, bytes);
      else
        base::append_leb(random() % 3 == 0 ? ~uint64_t{0} - random() % 3 : random() % 400, bytes);
    for (const uint64_t count : {7, 33, 60}) {
      Cursor slow(bytes, 0), fast(bytes, 0);
      for (uint64_t i = 0; i < count; ++i) slow.shortest_leb();
      fast.skip_shortest_lebs(count);
      REQUIRE(fast.ok() == slow.ok());
      REQUIRE(fast.at() == slow.at());
    }
  }
}

TEST_CASE("the n-th one of a word is where a loop over its bits finds it") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 1000; ++round) {
    const uint64_t word = round == 0 ? ~uint64_t{0} : random() & (round % 3 == 0 ? random() : ~uint64_t{0});
    const uint64_t below = jfr::read::ones_up_to_each_byte(word);
    uint64_t n = 0;
    for (unsigned bit = 0; bit < 64; ++bit)
      if ((word >> bit & 1) != 0) REQUIRE(jfr::read::place_of_one(word, below, ++n) == bit);
    REQUIRE((below >> 56) == n);
  }
}

TEST_CASE("the high bits of 64 bytes are the same by any processor's way and by the portable one") {
  std::mt19937_64 random(1);
  Bytes bytes(64 + 8);
  for (int round = 0; round < 1000; ++round) {
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const uint8_t* from = bytes.data() + round % 8;
    uint64_t expected = 0;
    for (int i = 0; i < 64; ++i) expected |= uint64_t{from[i]} >> 7 << i;
    REQUIRE(jfr::read::high_bits_of_64(from) == expected);
    REQUIRE(jfr::read::portable_high_bits_of_64(from) == expected);
  }
}
