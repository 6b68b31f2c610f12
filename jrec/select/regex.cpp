// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/regex.h"

#include <cctype>

namespace jrec {
namespace {

bool has_back_reference(const std::string& pattern) {
  for (size_t at = pattern.find('\\'); at != std::string::npos; at = pattern.find('\\', at + 2))
    if (at + 1 < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[at + 1])) != 0) return true;
  return false;
}

jfr::Error refused(const std::string& pattern, const std::string& why) {
  return jfr::Error{jfr::ErrorCode::kUsage, 0, "'" + pattern + "' is no regular expression: " + why};
}

}  // namespace

jfr::Result<std::shared_ptr<const Regex>> Regex::compile(const std::string& pattern) {
  if (has_back_reference(pattern)) return refused(pattern, "back references are not supported");
  // regfree() must not see what regcomp() has not filled in: only a regex that compiled gets an owner.
  regex_t compiled;
  const int error = ::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  if (error == 0) {
    std::shared_ptr<Regex> regex(new Regex);
    regex->compiled_ = compiled;
    return std::shared_ptr<const Regex>(std::move(regex));
  }
  char why[200];
  ::regerror(error, &compiled, why, sizeof why);
  return refused(pattern, why);
}

}  // namespace jrec
