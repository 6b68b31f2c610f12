// SPDX-License-Identifier: Apache-2.0
#include "base/secret_inside.h"

#include <algorithm>
#include <cctype>

#include "base/redact.h"
#include "base/secret_key.h"

namespace base {
namespace {

// ://user:secret@host: the end of the secret when `at` is the colon before it, else 0. Looks back no further than to
// the delimiter before: command lines are long, and this is asked at each of their colons.
size_t end_of_user_secret(std::string_view text, size_t at) {
  if (text[at] != ':' || at < 2) return 0;
  const size_t before = text.find_last_of("/:?#@ ", at - 1);
  if (before == std::string_view::npos || before == 0 || text.substr(before - 1, 2) != "//") return 0;
  const size_t end = text.find_first_of("/?#@ ", at);
  return end != std::string_view::npos && text[end] == '@' ? end : 0;
}

bool starts_in_any_case(std::string_view text, std::string_view start) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(), same);
}

// Authorization: Bearer abc, {authorization=[Basic abc]}, "Authorization": "Bearer abc": where abc begins when `at` is the sign
// behind the key, else 0.
size_t start_of_credentials(std::string_view text, size_t at) {
  constexpr std::string_view kKey = "authorization";
  if (text[at] != ':' && text[at] != '=') return 0;
  const size_t end_of_key = at - (at > 0 && text[at - 1] == '"' ? 1 : 0);
  const std::string_view key = key_before(text, end_of_key);
  if (key.size() < kKey.size() || !starts_in_any_case(key.substr(key.size() - kKey.size()), kKey)) return 0;
  const size_t scheme = text.find_first_not_of(" [\"'", at + 1);
  if (scheme == std::string_view::npos) return 0;
  for (const std::string_view name : {"bearer ", "basic "})
    if (starts_in_any_case(text.substr(scheme), name)) return scheme + name.size();
  return 0;
}

// {"password": "abc"}: where the value begins when `at` is the colon behind the key, else 0.
size_t start_of_named_value(std::string_view text, size_t at) {
  if (text[at] != ':' || at == 0 || text[at - 1] != '"' || !is_secret_key(key_before(text, at - 1))) return 0;
  const size_t value = text.find_first_not_of(' ', at + 1);
  return value == std::string_view::npos ? 0 : value;
}

}  // namespace

bool is_quoted(std::string_view value) {
  return value.size() > 1 && (value[0] == '"' || value[0] == '\'') && value.find(value[0], 1) == value.size() - 1;
}

size_t end_of_value(std::string_view text, size_t at, std::string_view ends) {
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
    const size_t close = text.find(text[at], at + 1);
    return close == std::string_view::npos ? text.size() : close + 1;
  }
  while (at < text.size() && ends.find(text[at]) == std::string_view::npos) ++at;
  return at;
}

Redacted redact_inside(std::string_view text, std::string_view ends) {
  Redacted out;
  for (size_t i = 0; i < text.size(); ++i) {
    out.text += text[i];
    out.goes_on = false;
    size_t begin = start_of_credentials(text, i), end = 0;
    if (begin != 0) {
      end = end_of_value(text, begin, " ,;)]}\"'\r\n\t");
    } else if (begin = start_of_named_value(text, i); begin != 0) {
      end = end_of_value(text, begin, " ,;]}\r\n\t");
    } else {
      begin = i + 1;
      end = end_of_user_secret(text, i);
      const bool is_key = text[i] == '=' && is_secret_key(key_before(text, i));
      if (is_key) end = end_of_value(text, begin, ends);
      if (end <= begin) continue;
      out.goes_on = is_key && end == text.size() && !is_quoted(text.substr(begin));
    }
    out.text += text.substr(i + 1, begin - i - 1);
    out.text += kRedacted;
    i = end - 1;
  }
  return out;
}

}  // namespace base
