// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/local_path.h"

#include <algorithm>
#include <cctype>

namespace jrec {

base::Status check_local(const std::string& path) {
  const size_t colon = path.find("://");
  const bool has_scheme = colon != std::string::npos && colon > 1 &&
                          std::all_of(path.begin(), path.begin() + static_cast<ptrdiff_t>(colon), [](char c) {
                            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-';
                          });
  if (!has_scheme) return base::Done{};
  return base::Error{base::ErrorCode::kUsage, 0,
                     "is no file: jrec does not go to " + path.substr(0, colon) +
                         ":// addresses, so copy it with a program that does"};
}

}  // namespace jrec
