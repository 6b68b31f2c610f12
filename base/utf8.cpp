// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace base {
namespace {

constexpr uint8_t kLeadOfNul = 0xc0, kTailOfNul = 0x80;
constexpr uint8_t kLeadOfSurrogate = 0xed;
constexpr uint32_t kFirstPaired = 0x10000, kReplacementPoint = 0xfffd;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr size_t kSurrogateBytes = 3;

uint8_t byte_at(std::string_view text, size_t at) { return at < text.size() ? static_cast<uint8_t>(text[at]) : 0; }

bool is_tail(uint8_t byte) { return (byte & 0xc0) == 0x80; }

// A half of a pair, d800 to dfff; 0: there is none.
uint32_t surrogate_at(std::string_view text, size_t at) {
  const uint8_t second = byte_at(text, at + 1), third = byte_at(text, at + 2);
  if (byte_at(text, at) != kLeadOfSurrogate || second < 0xa0 || !is_tail(second) || !is_tail(third)) return 0;
  return 0xd000 | uint32_t{second & 0x3fu} << 6 | uint32_t{third & 0x3fu};
}

void append_point(uint32_t point, std::string& out) {
  if (point < kFirstPaired) return void(out += kReplacement);
  out += static_cast<char>(0xf0 | point >> 18);
  for (const int shift : {12, 6, 0}) out += static_cast<char>(0x80 | (point >> shift & 0x3f));
}

bool has_no_special(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<uint8_t>(c);
    return byte == kLeadOfNul || byte == kLeadOfSurrogate;
  });
}

}  // namespace

Surrogates surrogates_at(std::string_view modified) {
  const uint32_t half = surrogate_at(modified, 0), next = surrogate_at(modified, kSurrogateBytes);
  if (half == 0) return {};
  if (half >= 0xdc00 || next < 0xdc00) return {kReplacementPoint, kSurrogateBytes};
  return {kFirstPaired + ((half & 0x3ff) << 10 | (next & 0x3ff)), 2 * kSurrogateBytes};
}

bool is_utf8(std::string_view text) {
  for (size_t length = 0; !text.empty(); text.remove_prefix(length))
    if ((length = utf8_length(text)) == 0) return false;
  return true;
}

// Nearly all of it is ASCII, and megabytes long where it is a thread dump: eight bytes at a time.
bool is_same_in_utf8(std::string_view modified) {
  constexpr uint64_t kNotAscii = 0x8080'8080'8080'8080;
  for (; modified.size() >= sizeof kNotAscii; modified.remove_prefix(sizeof kNotAscii)) {
    uint64_t word;
    std::memcpy(&word, modified.data(), sizeof word);
    if ((word & kNotAscii) != 0 && !has_no_special(modified.substr(0, sizeof word))) return false;
  }
  return has_no_special(modified);
}

void append_utf8(std::string_view modified, std::string& out) {
  if (is_same_in_utf8(modified)) return out.append(modified), void();
  for (size_t at = 0; at < modified.size();) {
    if (const Surrogates found = surrogates_at(modified.substr(at)); found.bytes != 0) {
      append_point(found.point, out);
      at += found.bytes;
    } else if (byte_at(modified, at) == kLeadOfNul && byte_at(modified, at + 1) == kTailOfNul) {
      out += '\0';
      at += 2;
    } else {
      out += modified[at++];
    }
  }
}

std::string utf8_of(std::string_view modified) {
  std::string out;
  out.reserve(modified.size());
  append_utf8(modified, out);
  return out;
}

void append_line(std::string_view modified, std::string& out) {
  const size_t begin = out.size();
  append_utf8(modified, out);
  std::replace_if(
      out.begin() + static_cast<ptrdiff_t>(begin), out.end(),
      [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7f; }, ' ');
}

std::string line_of(std::string_view modified) {
  std::string line;
  append_line(modified, line);
  return line;
}

}  // namespace base
