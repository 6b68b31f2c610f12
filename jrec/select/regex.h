// SPDX-License-Identifier: Apache-2.0
// Regex is a POSIX extended regular expression (man 7 regex), found anywhere in a text.
//
// Texts come from files and may be long and hostile: matching takes no stack and no more than time in proportion to
// text and pattern, as long as the pattern has no back references, which are refused.
#pragma once

#include <regex.h>

#include <memory>
#include <string>

#include "format/result.h"

namespace jrec {

class Regex {
 public:
  // kUsage, with words for the user, when the pattern is none.
  static jfr::Result<std::shared_ptr<const Regex>> compile(const std::string& pattern);
  ~Regex() { ::regfree(&compiled_); }
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  bool found_in(const std::string& text) const { return ::regexec(&compiled_, text.c_str(), 0, nullptr, 0) == 0; }

 private:
  Regex() : compiled_() {}

  regex_t compiled_;
};

}  // namespace jrec
