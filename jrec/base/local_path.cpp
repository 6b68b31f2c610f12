// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/local_path.h"

#include <algorithm>
#include <cctype>

namespace jrec {

bool is_remote(const std::string& path) {
  return path.starts_with("http://") || path.starts_with("https://") || path.starts_with("s3://");
}

std::string query_of(const std::string& path) {
  const size_t at = is_remote(path) && !path.starts_with("s3://") ? path.find_first_of("?#") : std::string::npos;
  return at == std::string::npos ? "" : path.substr(at);
}

std::string last_name(const std::string& path) {
  const std::string whole = path.substr(0, path.size() - query_of(path).size());
  return whole.substr(whole.rfind('/') + 1);
}

base::Status check_local(const std::string& path) {
  const size_t colon = path.find("://");
  const bool has_scheme = colon != std::string::npos && colon > 1 &&
                          std::all_of(path.begin(), path.begin() + static_cast<ptrdiff_t>(colon), [](char c) {
                            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-';
                          });
  if (!has_scheme) return base::Done{};
  return base::Error{base::ErrorCode::kUsage, 0,
                     "is no file: jrec does not go to " + path.substr(0, colon) +
                         ":// addresses for this, so copy it with a program that does"};
}

}  // namespace jrec
