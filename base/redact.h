// SPDX-License-Identifier: Apache-2.0
// Keeps secrets out of recordings: what is told by its key is not written at all, only that it was there.
//
//   -Ddb.password=hunter2          -> -Ddb.password=[redacted]
//   --token abc                    -> --token [redacted]
//   --token:abc                    -> --token:[redacted]
//   -u joe -p hunter2              -> -u joe -p [redacted]
//   jdbc:x://joe:hunter2@db/y      -> jdbc:x://joe:[redacted]@db/y
//   Authorization: Bearer abc      -> Authorization: Bearer [redacted]
//
// By key, so it finds what is named for what it is. A secret under an innocent name is not found.
#pragma once

#include <string>
#include <string_view>

namespace base {

inline constexpr std::string_view kRedacted = "[redacted]";

// By whole words, so that `password`, `db-password`, `keyStorePassword`, `API_KEY` are, and `author` and
// `java.security.policy` are not.
bool is_secret_key(std::string_view key);

// The value of a system property as it may be written.
std::string redact_property(std::string_view key, std::string_view value);

enum class ArgumentKind {
  kProgram,  // of the application: a value ends at the next blank, if it is not in quotes
  kJvm,      // of the JVM: each starts with a dash, so a value reaches up to the next blank and dash
};

// A command line, or part of one, as one text with blanks between the arguments.
std::string redact_arguments(std::string_view command_line, ArgumentKind kind = ArgumentKind::kProgram);

// A text that may have addresses in it, without who they let in and what they ask for:
// https://joe:hunter2@host/x?token=1 -> https://[redacted]@host/x?[redacted]
std::string redact_userinfo(std::string_view text);

}  // namespace base
