// SPDX-License-Identifier: Apache-2.0
// Keeps secrets out of command lines, by the keys of their arguments (secret_key.h).
//
//   -Ddb.password=hunter2          -> -Ddb.password=[redacted]
//   --token abc                    -> --token [redacted]
//   --token:abc                    -> --token:[redacted]
//   -u joe -p hunter2              -> -u joe -p [redacted]
//
// A command line is most often told as one text with blanks between the arguments. A value may have blanks, too, so nobody
// sees in that text where it ends: all up to the next word that begins as options do is taken for it, and a harmless
// argument behind it goes with it. Who knows the arguments apart loses no more than the value:
//
//   of the text                    --token big secret in.txt -v     -> --token [redacted] -v
//   of arguments that are known    --token "big secret" in.txt -v   -> --token [redacted] in.txt -v
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace base {

enum class ArgumentKind : uint8_t {
  kProgram,  // of the application: keys and values may be words of their own
  kJvm,      // of the JVM: each starts with a dash, and reaches up to the next blank and dash
};

// A command line, or part of one, as one text.
std::string redact_arguments(std::string_view line, ArgumentKind kind = ArgumentKind::kProgram);

// That of a program. It is taken apart as the last ones of these arguments are, if it is made of them.
std::string redact_arguments(std::string_view line, std::span<const std::string> arguments);

// Arguments that are known apart, as one text with blanks between them.
std::string redact_each(std::span<const std::string> arguments, ArgumentKind kind);

}  // namespace base
