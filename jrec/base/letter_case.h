// SPDX-License-Identifier: Apache-2.0
// Names as those compare them that do not tell capital letters from small ones: engines of SQL, some file systems. ASCII alone.
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace jrec {

inline bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace jrec
