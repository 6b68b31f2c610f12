// SPDX-License-Identifier: Apache-2.0
#include "base/secret_key.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>
#include <string>
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

}  // namespace

bool is_secret_key(std::string_view key) {
  const Words words = words_of(key);
  for (size_t i = 0; i < words.size(); ++i) {
    if (is_secret_word(words[i])) return true;
    if (i + 1 < words.size() && is_secret_pair(words[i], words[i + 1])) return true;
  }
  return !words.empty() && contains(kSecretLast, words.back());
}

std::string_view key_before(std::string_view text, size_t end) {
  size_t start = end;
  while (start > 0 && is_key_char(text[start - 1])) --start;
  std::string_view key = text.substr(start, end - start);
  if (key.starts_with("-D")) key.remove_prefix(2);
  return key;
}

}  // namespace base
