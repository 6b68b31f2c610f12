// SPDX-License-Identifier: Apache-2.0
#include "base/crc32c.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string_view>
#include <vector>

namespace {

using base::crc32c;

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("golden: CRC-32C gives the sums that its standards print") {
  CHECK(crc32c({}) == 0);
  CHECK(crc32c(bytes_of("123456789")) == 0xE3069283);
  // RFC 3720, B.4
  CHECK(crc32c(std::vector<uint8_t>(32, 0x00)) == 0x8A9136AA);
  CHECK(crc32c(std::vector<uint8_t>(32, 0xff)) == 0x62A8AB43);
  std::vector<uint8_t> up(32);
  std::iota(up.begin(), up.end(), uint8_t{0});
  CHECK(crc32c(up) == 0x46DD794E);
}

TEST_CASE("CRC-32C of pieces is that of the whole, wherever it is cut") {
  std::vector<uint8_t> bytes(61);
  std::iota(bytes.begin(), bytes.end(), uint8_t{7});
  const uint32_t whole = crc32c(bytes);
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    base::Crc32c sum;
    sum.add(std::span(bytes).first(cut));
    sum.add(std::span(bytes).subspan(cut));
    CHECK(sum.value() == whole);
  }
}

TEST_CASE("damage: CRC-32C sees any single bit that has turned") {
  std::vector<uint8_t> bytes(64, 0x5a);
  const uint32_t whole = crc32c(bytes);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    CHECK(crc32c(bytes) != whole);
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
  }
}

TEST_CASE("CRC-32C by tables is that by the processor, at every length and alignment") {
  std::vector<uint8_t> bytes(100);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0x5a});
  for (size_t begin = 0; begin < 9; ++begin)
    for (size_t size = 0; begin + size <= bytes.size(); ++size) {
      base::Crc32c by_tables;
      by_tables.add_by_tables(std::span(bytes).subspan(begin, size));
      REQUIRE(by_tables.value() == crc32c(std::span(bytes).subspan(begin, size)));
    }
}

TEST_CASE("CRC-32C by lanes, as of long texts, is that by tables") {
  std::vector<uint8_t> bytes(10'000);
  uint32_t next = 1;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>((next = next * 1664525 + 1013904223) >> 24);
  for (const size_t size : {3071u, 3072u, 3073u, 6143u, 6144u, 6151u, 9999u}) {
    base::Crc32c by_tables;
    by_tables.add_by_tables(std::span(bytes).first(size));
    CHECK(by_tables.value() == crc32c(std::span(bytes).first(size)));
  }
}
