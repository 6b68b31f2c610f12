// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <doctest/doctest.h>

using namespace base;

TEST_CASE("times take JFR's units and sizes both cases") {
  CHECK(parse_duration("20 ms", 0) == 20'000'000);
  CHECK(parse_duration("7ns", 0) == 7);
  CHECK(parse_duration("7us", 0) == 7'000);
  CHECK(parse_duration("2h", 0) == 7'200'000'000'000);
  CHECK(parse_duration("0", 0) == 0);
  CHECK(!parse_duration("7", 0));
  CHECK(!parse_duration("7  s", 0));
  CHECK(!parse_duration("s", 0));
  CHECK(!parse_duration("7 ", 0));
  CHECK(!parse_duration("1.5s", 0));
  CHECK(parse_size("12M") == 12 << 20);
  CHECK(parse_size("12k") == 12 << 10);
  CHECK(parse_size("12") == 12);
  CHECK(!parse_size("12mb"));
  CHECK(!parse_size("k"));
}

TEST_CASE("damage: numbers beyond 63 bits are no numbers") {
  CHECK(parse_count("9223372036854775807") == INT64_MAX);
  CHECK(!parse_count("9223372036854775808"));
  CHECK(!parse_size("9223372036854775807k"));
  CHECK(!parse_duration("9223372036854775807 s", 0));
}

TEST_CASE("numbers are spelt in the largest unit that is exact") {
  CHECK(duration_text(50'000) == "50us");
  CHECK(duration_text(90'000'000'000) == "90s");
  CHECK(duration_text(0) == "0");
  CHECK(size_text(12 << 20) == "12m");
  CHECK(size_text(1025) == "1025");
}

TEST_CASE("sizes for people may say that they are bytes") {
  CHECK(parse_byte_size("100") == 100);
  CHECK(parse_byte_size("100b") == 100);
  CHECK(parse_byte_size("64kB") == 64 << 10);
  CHECK(parse_byte_size("20M") == 20 << 20);
  CHECK(parse_byte_size("2gb") == int64_t{2} << 30);
  CHECK(parse_byte_size("2T") == int64_t{2} << 40);
  CHECK(!parse_byte_size(""));
  CHECK(!parse_byte_size("b"));
  CHECK(!parse_byte_size("t"));
  CHECK(!parse_byte_size("1bb"));
  CHECK(!parse_byte_size("1kk"));
  CHECK(!parse_byte_size("-1k"));
  CHECK(!parse_byte_size("9000000t"));
}
