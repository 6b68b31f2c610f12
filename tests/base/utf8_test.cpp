// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <doctest/doctest.h>

using namespace std::literals;

TEST_CASE("a pair of surrogates of the JVM becomes one character") {
  CHECK(base::utf8_of("a \xed\xa0\xbd\xed\xb8\x80 b") == "a \xf0\x9f\x98\x80 b");
  CHECK(base::utf8_of("\xed\xa0\x80\xed\xb0\x80") == "\xf0\x90\x80\x80");  // U+10000
  CHECK(base::utf8_of("\xed\xaf\xbf\xed\xbf\xbf") == "\xf4\x8f\xbf\xbf");  // U+10FFFF
}

TEST_CASE("half a pair is no character, wherever it stands") {
  CHECK(base::utf8_of("\xed\xa0\xbd") == "\xef\xbf\xbd");
  CHECK(base::utf8_of("\xed\xb8\x80\xed\xa0\xbd") == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(base::utf8_of("\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80") == "\xef\xbf\xbd\xf0\x9f\x98\x80");
}

TEST_CASE("the JVM's NUL of two bytes becomes one of one byte") { CHECK(base::utf8_of("a\xc0\x80z") == "a\0z"sv); }

TEST_CASE("text that is UTF-8 stays as it is, and is told as such") {
  for (const std::string_view text : {""sv, "plain"sv, "\xc3\xa9 \xe2\x80\xae \xf0\x9f\x98\x80"sv}) {
    CHECK(base::is_same_in_utf8(text));
    CHECK(base::utf8_of(text) == text);
  }
  CHECK(base::utf8_of("\xed\x9f\xbf") == "\xed\x9f\xbf");  // U+D7FF, a character of Korean
  CHECK_FALSE(base::is_same_in_utf8("\xed\xa0\xbd\xed\xb8\x80"));
  CHECK_FALSE(base::is_same_in_utf8("\xc0\x80"));
  for (size_t at = 0; at < 20; ++at) {  // wherever it lies in a word
    CHECK_FALSE(base::is_same_in_utf8(std::string(at, 'a') + "\xc0\x80" + std::string(20 - at, 'b')));
    CHECK(base::is_same_in_utf8(std::string(at, 'a') + "\xc3\xa4" + std::string(20 - at, 'b')));
  }
}

TEST_CASE("a name in a line of text stays in that line") {
  CHECK(base::line_of("a\n\tb\x1b[31m\x7f \xc0\x80 \xed\xa0\xbd\xed\xb8\x80") == "a  b [31m    \xf0\x9f\x98\x80");
}

TEST_CASE("damage: what is no UTF-8 is told from what is") {
  for (const std::string_view text : {""sv, "a\0z"sv, "\xc3\xa9"sv, "\xe2\x82\xac"sv, "\xf0\x9f\x98\x80"sv})
    CHECK(base::is_utf8(text));
  for (const std::string_view text :
       {"\x80"sv, "\xc0\x80"sv, "\xc3"sv, "\xe0\x80\x80"sv, "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv, "a\xff"sv})
    CHECK_FALSE(base::is_utf8(text));
}

TEST_CASE("damage: text that is cut in a character stays as it is") {
  for (const std::string_view text : {"\xed"sv, "\xed\xa0"sv, "\xc0"sv, "\xed\xa0z"sv, "\xc0z"sv})
    CHECK(base::utf8_of(text) == text);
}
