// SPDX-License-Identifier: Apache-2.0
// The JVM's own strings are modified UTF-8 (JVMS 4.4.7; JNI and JVMTI hand it out, too): a character beyond U+FFFF is a
// pair of surrogates of three bytes each, and U+0000 is c0 80. Nobody else reads that: JSON, terminals and JFR's readers
// want UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace base {

// Nearly all text is the same in both; this tells at the cost of a look at each byte.
bool is_same_in_utf8(std::string_view modified);

// As UTF-8. Half a pair, which is no character, becomes U+FFFD. What else is not UTF-8 stays as it is.
std::string utf8_of(std::string_view modified);

void append_utf8(std::string_view modified, std::string& out);

// The same for a name in a line of text: a space for each control character, so that no name begins a line of its own or
// moves a terminal's cursor.
std::string line_of(std::string_view modified);
void append_line(std::string_view modified, std::string& out);

}  // namespace base
