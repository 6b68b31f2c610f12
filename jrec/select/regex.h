// SPDX-License-Identifier: Apache-2.0
// Regex is a regular expression in RE2's syntax, which holds that of POSIX (man 7 regex), found anywhere in a text of
// UTF-8.
//
// Texts come from files and may be long and hostile, and a pattern may repeat what is repeated: RE2 matches in time in
// proportion to the text and keeps pattern and automaton within kMaxBytes, which no backtracking engine does, and not
// the C library's either.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace jrec {

class Regex {
 public:
  static constexpr int64_t kMaxBytes = 8 << 20;

  // kUsage, with words for the user, when the pattern is none, refers back to a group, or would grow beyond kMaxBytes.
  static base::Result<std::shared_ptr<const Regex>> compile(const std::string& pattern);

  // Any thread.
  bool found_in(const std::string& text) const { return re2::RE2::PartialMatch(text, compiled_); }

 private:
  explicit Regex(const std::string& pattern);

  re2::RE2 compiled_;
};

}  // namespace jrec
