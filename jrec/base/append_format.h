// SPDX-License-Identifier: Apache-2.0
// append_format writes behind a string, as fmt::format makes a new one:
//
//   append_format(out, "{}: {:.1f} ms\n", name, wait_ms);
//
// The words are checked when they are compiled, and put together in append_format.cpp: a file that formats need not see
// how, and compiles in a third of the time. For the same reason files include <fmt/core.h>; lists, which that does not
// know, are written by joined().
#pragma once

#include <fmt/core.h>

#include <span>
#include <string>
#include <string_view>

namespace jrec {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args values);

template <typename... Values>
void append_format(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  append_formatted(out, format, fmt::make_format_args(values...));
}

// "a, b, c"
std::string joined(std::span<const std::string> words, std::string_view between);

}  // namespace jrec
