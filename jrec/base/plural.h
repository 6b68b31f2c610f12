// SPDX-License-Identifier: Apache-2.0
// Numbers of things in sentences: "1 chunk", "2 chunks".
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace jrec {

inline std::string_view ending(uint64_t count) { return count == 1 ? "" : "s"; }
// noun: of one.
inline std::string plural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, ending(count));
}

}  // namespace jrec
