// SPDX-License-Identifier: Apache-2.0
// What tables for a terminal have in common: how wide a text is, what fits, and shares of a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jrec {

// Of UTF-8.
inline bool begins_character(char unit) { return (unit & 0xc0) != 0x80; }

// Columns that the text takes: a character one, those of East Asia and pictures two ([format.string.std] of C++20 lists them).
size_t text_width(std::string_view utf8);

// What of its begin, or of its end, takes so many columns at most.
std::string_view first_columns(std::string_view utf8, size_t width);
std::string_view last_columns(std::string_view utf8, size_t width);

// The end of a name that takes `width` columns, "..." in front if that is not all of it: its end tells more than its beginning.
std::string last_part(std::string name, size_t width);

// Lines that are too wide are broken between words; what goes on of an indented one begins `hang` columns in. A word that is
// longer stays whole.
std::string wrapped(std::string_view text, size_t width, size_t hang = 0);

// Columns left for the name that ends a row, behind `numbers` columns; never too few to read. `width` 0: that of the
// terminal.
size_t room_for_name(size_t width, size_t numbers);

// 0 of nothing.
double percent(uint64_t part, uint64_t whole);

}  // namespace jrec
