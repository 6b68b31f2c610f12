// SPDX-License-Identifier: Apache-2.0
// AttachReply is what a JVM sends back for a command: a status on a line of its own, then text.
//
// To `load` JDK 9 and later answer "0\nreturn code: N", N being what the library's entry point returned; when there was
// none to call, the text says why. JDK 8 sends N as a bare number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jrec {

inline constexpr size_t kLongestAttachReply = 64u << 10;

struct AttachReply {
  int status = 0;                  // 0: the JVM knew the command and ran it
  std::string text;                // one line: breaks and blanks are single spaces
  std::optional<int> return_code;  // of the library's entry point
};

// Nothing when it does not begin with a status.
std::optional<AttachReply> parse_attach_reply(std::string_view bytes);

}  // namespace jrec
