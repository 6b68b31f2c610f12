// SPDX-License-Identifier: Apache-2.0
// Escapes make foreign text harmless where it goes. All input is UTF-8, as the reader yields it.
#pragma once

#include <string>
#include <string_view>

namespace jrec {

// The inside of a JSON string. '<' too is escaped, so that the text may stand in a <script> of a page.
void append_json(std::string_view text, std::string& out);
void append_json_string(std::string_view text, std::string& out);  // with the quotes

// For a terminal or a line of text: control characters (C0, DEL, C1, line and paragraph separators, direction
// overrides) become \xNN or \uNNNN. A backslash stays as it is.
void append_plain(std::string_view text, std::string& out);
std::string plain(std::string_view text);

// For the text of an HTML element or a quoted attribute.
void append_html(std::string_view text, std::string& out);

}  // namespace jrec
