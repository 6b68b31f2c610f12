// SPDX-License-Identifier: Apache-2.0
// Questions that tests ask of a text.
#pragma once

#include <string>

namespace test {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace test
