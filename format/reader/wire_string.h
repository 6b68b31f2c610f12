// SPDX-License-Identifier: Apache-2.0
// The six wire forms of a string, as far as they can be told without the constant pool. Text always comes out as valid
// UTF-8: pairs of surrogates, as HotSpot's modified UTF-8 has them, become what they stand for, and what is no character (half a pair) U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/cursor.h"

namespace jfr::read {

enum class StringForm : uint8_t { kNull = 0, kEmpty = 1, kConstant = 2, kUtf8 = 3, kChars = 4, kLatin1 = 5 };

// A string that stands in the chunk. payload: the bytes of kUtf8 and kLatin1, or of the LEB128 chars. key: that of
// kConstant.
struct WireString {
  StringForm form = StringForm::kNull;
  std::span<const uint8_t> payload;
  uint64_t chars = 0;
  uint64_t key = 0;
};

// Reads one string and moves behind it. An unknown form fails the cursor.
WireString read_wire_string(Cursor& in);
void skip_wire_string(Cursor& in);

// Appends the text of a string that is not kConstant. Nothing for kNull and kEmpty.
template <typename Chars>
void append_text(const WireString& string, Chars& out);

extern template void append_text(const WireString&, std::string&);
extern template void append_text(const WireString&, std::vector<char>&);

}  // namespace jfr::read
