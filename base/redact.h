// SPDX-License-Identifier: Apache-2.0
// Keeps secrets out of recordings: what is told by its key is not written at all, only that it was there.
//
//   db.password=hunter2            -> [redacted]
//   jdbc:x://joe:hunter2@db/y      -> jdbc:x://joe:[redacted]@db/y
//   Authorization: Bearer abc      -> Authorization: Bearer [redacted]
//   a command line                 -> as redact_arguments.h has it
//
// By key, so it finds what is named for what it is (secret_key.h). A secret under an innocent name is not found.
#pragma once

#include <string>
#include <string_view>

namespace base {

inline constexpr std::string_view kRedacted = "[redacted]";

// The value of a system property as it may be written.
std::string redact_property(std::string_view key, std::string_view value);

// A text that may have addresses in it, without who they let in and what they ask for:
// https://joe:hunter2@host/x?token=1 -> https://[redacted]@host/x?[redacted]
std::string redact_userinfo(std::string_view text);

}  // namespace base
