// SPDX-License-Identifier: Apache-2.0
// Words in colour, where standard output is a terminal that shows them: captions, and what grew or shrank.
//
//   --color always | never | auto    auto: on a terminal other than "dumb", unless NO_COLOR is set (no-color.org)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jrec {

enum class Colour : uint8_t { kBold, kRed };
enum class ColourWhen : uint8_t { kAuto, kAlways, kNever };

void set_colours(ColourWhen when);  // for the life of the process
bool colours();
void keep_colours_off();  // of a file, unless they are always wanted

// The text as it is, where there are none. A line's end stays outside.
std::string coloured(Colour colour, std::string_view text);

}  // namespace jrec
