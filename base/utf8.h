// SPDX-License-Identifier: Apache-2.0
// The JVM's own strings are modified UTF-8 (JVMS 4.4.7; JNI and JVMTI hand it out, too): a character beyond U+FFFF is a
// pair of surrogates of three bytes each, and U+0000 is c0 80. Nobody else reads that: JSON, terminals and JFR's readers
// want UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace base {

// Length of the well-formed UTF-8 sequence at the front of `bytes`, which are not empty; 0 when there is none.
inline size_t utf8_length(std::span<const uint8_t> bytes) {
  const uint8_t lead = bytes[0];
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                        : (lead & 0xf0) == 0xe0        ? 3
                        : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                       : 0;
  if (length == 0 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (lead == 0xe0 && bytes[1] < 0xa0) || (lead == 0xf0 && bytes[1] < 0x90);
  const bool not_a_character = (lead == 0xed && bytes[1] >= 0xa0) || (lead == 0xf4 && bytes[1] >= 0x90);
  return overlong || not_a_character ? 0 : length;
}
inline size_t utf8_length(std::string_view text) {
  return utf8_length(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

// The character that such a sequence of bytes is.
inline uint32_t utf8_point(std::string_view sequence) {
  const auto lead = static_cast<uint8_t>(sequence.front());
  uint32_t point = lead & (lead < 0x80 ? 0x7f : lead < 0xe0 ? 0x1f : lead < 0xf0 ? 0x0f : 0x07);
  for (const char unit : sequence.substr(1)) point = point << 6 | (static_cast<uint8_t>(unit) & 0x3f);
  return point;
}

// A pair of surrogates at the front, or half of one: the character, U+FFFD of a half, and how many bytes that is; 0: there is none.
struct Surrogates {
  uint32_t point = 0;
  size_t bytes = 0;
};
Surrogates surrogates_at(std::string_view modified);

bool is_utf8(std::string_view text);

// Nearly all text is the same in both; this tells at the cost of a look at each byte.
bool is_same_in_utf8(std::string_view modified);

// As UTF-8. Half a pair, which is no character, becomes U+FFFD. What else is not UTF-8 stays as it is.
std::string utf8_of(std::string_view modified);

void append_utf8(std::string_view modified, std::string& out);

// The same for a name in a line of text: a space for each control character, so that no name begins a line of its own or
// moves a terminal's cursor.
std::string line_of(std::string_view modified);
void append_line(std::string_view modified, std::string& out);

}  // namespace base
