// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/regex.h"

namespace jrec {
namespace {

re2::RE2::Options within_limits() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(Regex::kMaxBytes);
  return options;
}

}  // namespace

Regex::Regex(const std::string& pattern) : compiled_(pattern, within_limits()) {}

base::Result<std::shared_ptr<const Regex>> Regex::compile(const std::string& pattern) {
  const std::shared_ptr<const Regex> regex(new Regex(pattern));
  if (regex->compiled_.ok()) return regex;
  return base::Error{base::ErrorCode::kUsage, 0,
                     "'" + pattern + "' is no regular expression: " + regex->compiled_.error()};
}

}  // namespace jrec
