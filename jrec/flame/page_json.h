// SPDX-License-Identifier: Apache-2.0
// How pages write their data: lists with commas between, and texts that people see, whose control characters are escaped
// by us: the browser would undo escapes of JSON.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"

namespace jrec {

inline void append_shown(std::string_view text, std::string& out) { append_json_string(plain(text), out); }

// Pages have millions of them, for which a format is slow.
inline void append_number(std::integral auto number, std::string& out) {
  char digits[20];  // with a sign
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  out.append(digits, static_cast<size_t>(end - digits));
}

// [each,each...]
template <typename Rows, typename Append>
void append_array(const Rows& rows, std::string& out, Append append) {
  out += '[';
  const char* separator = "";
  for (const auto& row : rows) {
    out += std::exchange(separator, ",");
    append(row);
  }
  out += ']';
}

// The same, behind a key that is not the first: ,"key":[each,each...]
template <typename Rows, typename Append>
void append_list(const char* key, const Rows& rows, std::string& out, Append append) {
  append_format(out, ",\"{}\":", key);
  append_array(rows, out, append);
}

}  // namespace jrec
