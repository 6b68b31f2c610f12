// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/writer/byte_sink.h"

namespace {

using Bytes = std::vector<uint8_t>;
using jfr::ByteSink;

template <typename Write>
Bytes written(Write write) {
  ByteSink sink;
  write(sink);
  return {sink.bytes().begin(), sink.bytes().end()};
}
Bytes sunk_leb(uint64_t value) {
  return written([&](ByteSink& sink) { sink.leb(value); });
}
Bytes text(std::string_view value) {
  return written([&](ByteSink& sink) { sink.text(value); });
}

}  // namespace

TEST_CASE("golden: unsigned numbers are LEB128, low group first") {
  CHECK(sunk_leb(0) == Bytes{0x00});
  CHECK(sunk_leb(127) == Bytes{0x7f});
  CHECK(sunk_leb(128) == Bytes{0x80, 0x01});
  CHECK(sunk_leb(16384) == Bytes{0x80, 0x80, 0x01});
  CHECK(sunk_leb(905006888) == Bytes{0xa8, 0x9e, 0xc5, 0xaf, 0x03});
}

TEST_CASE("golden: text of the JVM is written as UTF-8, with the length of that") {
  CHECK(text("a\xed\xa0\xbd\xed\xb8\x80") == Bytes{3, 5, 'a', 0xf0, 0x9f, 0x98, 0x80});
  CHECK(text("\xc0\x80") == Bytes{3, 1, 0});
  CHECK(text("\xc3\xa9") == Bytes{3, 2, 0xc3, 0xa9});
}

TEST_CASE("golden: the ninth byte of a number carries eight bits") {
  CHECK(sunk_leb(uint64_t{1} << 63) == Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80});
  CHECK(sunk_leb((uint64_t{1} << 56) - 1) == Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f});
  CHECK(sunk_leb(uint64_t{1} << 56) == Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01});
  CHECK(sunk_leb(~uint64_t{0}) == Bytes(9, 0xff));
}

TEST_CASE("golden: a negative number is two's complement at its field's width") {
  CHECK(written([](ByteSink& sink) { sink.leb_i32(-1); }) == Bytes{0xff, 0xff, 0xff, 0xff, 0x0f});
  CHECK(written([](ByteSink& sink) { sink.leb_i64(-1); }) == Bytes(9, 0xff));
  CHECK(written([](ByteSink& sink) { sink.leb_i64(-15); }) ==
        Bytes{0xf1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
  CHECK(written([](ByteSink& sink) { sink.leb_i64(-1311887); }) ==
        Bytes{0xf1, 0xf6, 0xaf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
}

TEST_CASE("golden: a size known later fills four padded bytes") {
  const auto padded = [](uint32_t value) {
    return written([&](ByteSink& sink) { sink.patch_size(sink.reserve_size(), value); });
  };
  CHECK(padded(95) == Bytes{0xdf, 0x80, 0x80, 0x00});
  CHECK(padded(8740) == Bytes{0xa4, 0xc4, 0x80, 0x00});
  CHECK(padded(jfr::kMaxPaddedSize) == Bytes{0xff, 0xff, 0xff, 0x7f});
}

TEST_CASE("a size is patched where it was reserved and nowhere else") {
  ByteSink sink;
  sink.u8(0xaa);
  const size_t at = sink.reserve_size();
  sink.u8(0xbb);
  sink.patch_size(at, 6);
  CHECK(Bytes(sink.bytes().begin(), sink.bytes().end()) == Bytes{0xaa, 0x86, 0x80, 0x80, 0x00, 0xbb});
}

TEST_CASE("golden: a padded number takes the bytes it is given") {
  CHECK(written([](ByteSink& sink) { sink.leb_padded(0, 1); }) == Bytes{0x00});
  CHECK(written([](ByteSink& sink) { sink.leb_padded(0, 3); }) == Bytes{0x80, 0x80, 0x00});
  CHECK(written([](ByteSink& sink) { sink.leb_padded(5, 8); }) ==
        Bytes{0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00});
}

TEST_CASE("golden: texts say how they are encoded") {
  CHECK(text("main") == Bytes{0x03, 0x04, 0x6d, 0x61, 0x69, 0x6e});
  CHECK(text("") == Bytes{0x01});
  CHECK(text("\xe6\xbc\xa2") == Bytes{0x03, 0x03, 0xe6, 0xbc, 0xa2});
  CHECK(written([](ByteSink& sink) { sink.null_text(); }) == Bytes{0x00});
  CHECK(text(std::string(200, 'x')).size() == 1 + 2 + 200);
}

TEST_CASE("golden: numbers of fixed width are big-endian") {
  CHECK(written([](ByteSink& sink) { sink.be16(0x0102); }) == Bytes{1, 2});
  CHECK(written([](ByteSink& sink) { sink.be32(0x01020304); }) == Bytes{1, 2, 3, 4});
  CHECK(written([](ByteSink& sink) { sink.be64(0x0102030405060708); }) == Bytes{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(written([](ByteSink& sink) { sink.f32(1.5f); }) == Bytes{0x3f, 0xc0, 0, 0});
}

TEST_CASE("golden: an execution sample as JDK 25 wrote it, but for the padded size") {
  const Bytes event = written([](ByteSink& sink) {
    const size_t at = sink.reserve_size();
    sink.leb(123);
    sink.leb_i64(905006888);
    sink.leb(3);
    sink.leb(13);
    sink.leb(5);
    sink.patch_size(at, static_cast<uint32_t>(sink.size() - at));
  });
  CHECK(event == Bytes{0x8d, 0x80, 0x80, 0x00, 0x7b, 0xa8, 0x9e, 0xc5, 0xaf, 0x03, 0x03, 0x0d, 0x05});
}
