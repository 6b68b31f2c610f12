// SPDX-License-Identifier: Apache-2.0
// OptionList takes an option string apart: `key=value,key=value,word`. It knows no key.
//
//   The first `=` ends the key, so a value may hold more of them.
//   A comma in a value: `\,`, or the value in quotes, '...' or "...". Elsewhere a backslash is just a backslash.
//   Empty items (`a=1,,b=2`, a comma at the end) are nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rec::agent {

struct OptionItem {
  std::string key;
  std::string value;
  bool has_value = false;   // false: a bare word
  bool open_quote = false;  // the closing quote is missing; the value is the rest of the text
  uint64_t offset = 0;      // of the item in the text
};

std::vector<OptionItem> split_options(std::string_view text);

}  // namespace rec::agent
