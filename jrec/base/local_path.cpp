// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/local_path.h"

#include <strings.h>

#include <algorithm>
#include <cctype>

namespace jrec {

bool has_scheme(const std::string& path, std::string_view scheme) {
  return path.compare(std::min(scheme.size(), path.size()), 3, "://") == 0 &&
         ::strncasecmp(path.data(), scheme.data(), scheme.size()) == 0;
}

bool is_remote(const std::string& path) {
  return has_scheme(path, "http") || has_scheme(path, "https") || has_scheme(path, "s3");
}

std::string query_of(const std::string& path) {
  const size_t at = is_remote(path) && !has_scheme(path, "s3") ? path.find_first_of("?#") : std::string::npos;
  return at == std::string::npos ? "" : path.substr(at);
}

std::string last_name(const std::string& path) {
  const std::string whole = path.substr(0, path.size() - query_of(path).size());
  return whole.substr(whole.rfind('/') + 1);
}

base::Status check_local(const std::string& path) {
  const size_t colon = path.find("://");
  const bool is_address = colon != std::string::npos && colon > 1 &&
                          std::all_of(path.begin(), path.begin() + static_cast<ptrdiff_t>(colon), [](char c) {
                            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-';
                          });
  if (!is_address) return base::Done{};
  return base::Error{base::ErrorCode::kUsage, 0,
                     "is no file: jrec does not go to " + path.substr(0, colon) +
                         ":// addresses for this, so copy it with a program that does"};
}

}  // namespace jrec
