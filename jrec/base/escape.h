// SPDX-License-Identifier: Apache-2.0
// Escapes make foreign text harmless where it goes. All input is UTF-8, as the reader yields it.
#pragma once

#include <string>
#include <string_view>

namespace jrec {

// The inside of a JSON string. '<' too is escaped, so that the text may stand in a <script> of a page. What is no UTF-8,
// as names of files need not be, becomes U+FFFD.
void append_json(std::string_view text, std::string& out);
void append_json_string(std::string_view text, std::string& out);  // with the quotes

// For a terminal or a line of text: control characters (C0, DEL, C1, line and paragraph separators, what turns the
// direction of a text) become \xNN or \uNNNN, but for those that are kept. A backslash stays as it is.
void append_plain(std::string_view text, std::string& out, std::string_view kept = {});
std::string plain(std::string_view text);

// For the text of an XML element or a quoted attribute. The same characters become references, which a parser reads as
// what they are; what XML has no way to write becomes U+FFFD.
void append_xml(std::string_view text, std::string& out);

// For the text of an HTML element or a quoted attribute.
void append_html(std::string_view text, std::string& out);

}  // namespace jrec
