// SPDX-License-Identifier: Apache-2.0
// What a user has written, as part of a line of ours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rec::agent {

// Long enough for any path one would want to see in a message, short enough for one line.
inline constexpr size_t kLongestQuote = 80;

// Cut, and without bytes that would make it more than one line.
inline std::string in_one_line(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kLongestQuote)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return out;
}

}  // namespace rec::agent
