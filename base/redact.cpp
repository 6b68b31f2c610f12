// SPDX-License-Identifier: Apache-2.0
#include "base/redact.h"

#include "base/redact_arguments.h"
#include "base/secret_inside.h"
#include "base/secret_key.h"

namespace base {

std::string redact_property(std::string_view key, std::string_view value) {
  if (is_secret_key(key)) return std::string(kRedacted);
  return key == "sun.java.command" ? redact_arguments(value) : redact_inside(value, "&;,) ").text;
}

// What has an @ before the next blank or quote is taken for a password: one may have a slash in it. What a server is asked behind the
// path may be a signature or a token.
std::string redact_userinfo(std::string_view text) {
  static constexpr std::string_view kScheme = "://";
  std::string out;
  for (size_t at = text.find(kScheme); at != std::string_view::npos; at = text.find(kScheme)) {
    const size_t begin = at + kScheme.size();
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    const std::string_view address = text.substr(0, text.find_first_of(" \t\r\n\"'"));
    const size_t sign = address.rfind('@');
    const size_t from = sign == std::string_view::npos ? 0 : sign;
    if (from != 0) out += kRedacted;
    const size_t query = address.find('?', from);
    const size_t kept = query == std::string_view::npos || query + 1 == address.size() ? address.size() : query + 1;
    out += text.substr(from, kept - from);
    if (kept < address.size()) out += kRedacted;
    text.remove_prefix(address.size());
  }
  return out.append(text);
}

}  // namespace base
