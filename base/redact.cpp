// SPDX-License-Identifier: Apache-2.0
#include "base/redact.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

namespace base {
namespace {

using Words = std::vector<std::string>;

// Secret wherever they stand in a key.
constexpr std::string_view kSecretWords[] = {
    "password",    "passwords", "passwd",    "passphrase", "passwort",  "pwd",          "pw",
    "secret",      "secrets",   "token",     "tokens",     "cred",      "creds",        "credential",
    "credentials", "apikey",    "apikeys",   "jwt",        "bearer",    "cookie",       "cookies",
    "privatekey",  "secretkey", "accesskey", "authkey",    "sessionid", "authorization"};
// Secret also as the end of a longer word: dbpassword, accesstoken.
constexpr std::string_view kSecretEnds[] = {"password", "passwd", "passphrase", "secret",
                                            "token",    "apikey", "credential", "credentials"};
// Secret when nothing follows: http.auth and db.pass are, java.security.auth.login.config is not.
constexpr std::string_view kSecretLast[] = {"auth", "session", "pass"};
// Secret before `key`, and auth and session also before what carries them.
constexpr std::string_view kSecretKeyOf[] = {"api",    "private", "access", "secret",  "encryption", "signing",
                                             "master", "ssh",     "shared", "account", "storage",    "license",
                                             "auth",   "session", "crypt",  "aes"};
constexpr std::string_view kCarriers[] = {"key", "keys", "id", "data", "header", "code", "string"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A capital starts a word after a small letter (keyStore) and before one (APIKey -> api, key).
bool starts_word(std::string_view key, size_t i) {
  if (i == 0 || !is_upper(key[i])) return false;
  return !is_upper(key[i - 1]) || (i + 1 < key.size() && std::islower(static_cast<unsigned char>(key[i + 1])) != 0);
}

Words words_of(std::string_view key) {
  Words words(1);
  for (size_t i = 0; i < key.size(); ++i) {
    if ((!is_word(key[i]) || starts_word(key, i)) && !words.back().empty()) words.emplace_back();
    if (is_word(key[i])) words.back() += lower(key[i]);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_secret_pair(const std::string& first, const std::string& second) {
  if ((second == "key" || second == "keys") && contains(kSecretKeyOf, first)) return true;
  if (contains(kSecretLast, first) && contains(kCarriers, second)) return true;
  return first == "pass" && (second == "word" || second == "phrase");
}

bool is_secret_word(const std::string& word) {
  if (contains(kSecretWords, word)) return true;
  return std::any_of(std::begin(kSecretEnds), std::end(kSecretEnds),
                     [&](std::string_view end) { return word.ends_with(end); });
}

bool is_key_char(char c) { return is_word(c) || c == '.' || c == '_' || c == '-' || c == '$'; }

// The key that ends right before `end`.
std::string_view key_before(std::string_view text, size_t end) {
  size_t start = end;
  while (start > 0 && is_key_char(text[start - 1])) --start;
  std::string_view key = text.substr(start, end - start);
  if (key.starts_with("-D")) key.remove_prefix(2);
  return key;
}

size_t end_of_value(std::string_view text, size_t at, std::string_view ends) {
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
    const size_t close = text.find(text[at], at + 1);
    return close == std::string_view::npos ? text.size() : close + 1;
  }
  while (at < text.size() && ends.find(text[at]) == std::string_view::npos) ++at;
  return at;
}

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
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
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

// Secrets inside a value: user info and parameters of URLs, key=value lists, headers of HTTP that let somebody in.
std::string redact_inside(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (const size_t credentials = start_of_credentials(text, i); credentials != 0) {
      out += text.substr(i + 1, credentials - i - 1);
      out += kRedacted;
      i = end_of_value(text, credentials, " ,;)]}\"'\r\n\t") - 1;
      continue;
    }
    size_t end = end_of_user_secret(text, i);
    if (text[i] == '=' && is_secret_key(key_before(text, i))) end = end_of_value(text, i + 1, "&;,) ");
    if (end <= i + 1) continue;
    out += kRedacted;
    i = end - 1;
  }
  return out;
}

// Walks the arguments of a command line one by one.
class ArgumentRedactor {
 public:
  ArgumentRedactor(std::string_view line, ArgumentKind kind) : line_(line), kind_(kind) {}

  std::string run() {
    while (at_ < line_.size()) {
      if (is_blank(line_[at_])) {
        out_ += line_[at_++];
      } else {
        argument(line_.substr(at_, end_of_argument() - at_));
      }
    }
    return std::move(out_);
  }

 private:
  void argument(std::string_view text) {
    at_ += text.size();
    if (next_is_secret_ && !text.starts_with('-')) {
      out_ += kRedacted;
      next_is_secret_ = is_scheme(text);  // "Authorization: Bearer abc": abc is the secret
      return;
    }
    if (const size_t sign = sign_behind_secret_key(text); sign != std::string_view::npos) {
      out_ += text.substr(0, sign + 1);
      out_ += kRedacted;
      next_is_secret_ = false;
      return;
    }
    out_ += redact_inside(text);
    next_is_secret_ = is_scheme(text) || announces_secret(text);
  }

  // --token=abc, and --passwd:abc of an option; npos: it is none.
  static size_t sign_behind_secret_key(std::string_view text) {
    const size_t equals = text.find('=');
    if (equals != std::string_view::npos && is_secret_key(key_before(text, equals))) return equals;
    const size_t colon = text.find(':');
    const bool is_option = text.starts_with('-') && colon != std::string_view::npos && colon + 1 < text.size();
    if (is_option && key_before(text, colon).size() == colon && is_secret_key(text.substr(0, colon))) return colon;
    return std::string_view::npos;
  }

  static bool is_scheme(std::string_view text) {
    return text == "Bearer" || text == "bearer" || text == "Basic" || text == "basic";
  }

  // "--token", "-p", "Authorization:", "\"Authorization:". -p is a port to some programs and a password to others.
  static bool announces_secret(std::string_view text) {
    if (text == "-p") return true;
    if (text.find('=') != std::string_view::npos) return false;
    return (text.starts_with('-') || text.ends_with(':')) && is_secret_key(text);
  }

  size_t end_of_argument() const {
    size_t end = at_;
    for (; end < line_.size(); ++end) {
      if (is_blank(line_[end]) && (kind_ == ArgumentKind::kProgram || starts_argument(end))) break;
      const bool value_starts = end > at_ && line_[end - 1] == '=' && (line_[end] == '"' || line_[end] == '\'');
      if (value_starts) end = std::max(end, end_of_value(line_, end, " ") - 1);
    }
    return end;
  }

  // A JVM argument follows the blank at `at`.
  bool starts_argument(size_t at) const {
    return at + 1 >= line_.size() || line_[at + 1] == '-' || is_blank(line_[at + 1]);
  }

  std::string_view line_;
  ArgumentKind kind_;
  size_t at_ = 0;
  bool next_is_secret_ = false;
  std::string out_;
};

}  // namespace

bool is_secret_key(std::string_view key) {
  const Words words = words_of(key);
  for (size_t i = 0; i < words.size(); ++i) {
    if (is_secret_word(words[i])) return true;
    if (i + 1 < words.size() && is_secret_pair(words[i], words[i + 1])) return true;
  }
  return !words.empty() && contains(kSecretLast, words.back());
}

std::string redact_property(std::string_view key, std::string_view value) {
  if (is_secret_key(key)) return std::string(kRedacted);
  return key == "sun.java.command" ? redact_arguments(value) : redact_inside(value);
}

std::string redact_arguments(std::string_view command_line, ArgumentKind kind) {
  return ArgumentRedactor(command_line, kind).run();
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
