// SPDX-License-Identifier: Apache-2.0
// Bytes as text: two digits each, in their order.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace base {

inline std::string hexadecimal(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const uint8_t byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

}  // namespace base
