// SPDX-License-Identifier: Apache-2.0
// Secrets inside a text: user info and parameters of URLs, key=value lists, headers of HTTP that let somebody in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

struct Redacted {
  std::string text;
  bool goes_on = false;  // the text ends with a secret, and what stands behind the text may belong to it
};

// ends: the signs of which each ends the value of a key, if that is not in quotes.
Redacted redact_inside(std::string_view text, std::string_view ends);

// Where the value that begins at `at` ends: behind its quotes, or before one of these signs.
size_t end_of_value(std::string_view text, size_t at, std::string_view ends);

bool is_quoted(std::string_view value);  // from its first sign to its last one

}  // namespace base
