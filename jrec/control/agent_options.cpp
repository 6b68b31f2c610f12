// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/agent_options.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <system_error>

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::array<std::string_view, 4> kPathOptions = {"filename", "file", "repository", "spool"};
constexpr std::array<std::string_view, 9> kOwnKeys = {"answer",  "start",  "stop", "dump",   "set",
                                                      "threads", "status", "help", "version"};

bool has(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

// Not "b.jfr", which was meant for something else.
bool may_be_key(std::string_view word) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return !word.empty() && word.find_first_not_of(kLetters) == std::string_view::npos;
}

std::string with_commas_escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == ',') out += '\\';
    out += c;
  }
  return out;
}

// A backslash at the end would escape the comma behind the value, so it goes between quotes. So does a quote at the
// beginning, which would open a quoted value; what follows it need not.
std::string quoted(std::string_view value) {
  if (value.ends_with('\\')) {
    const char quote = has(value, '\'') ? '"' : '\'';
    return fmt::format("{}{}{}", quote, value, quote);
  }
  if (value.starts_with('"')) return "'\"'" + with_commas_escaped(value.substr(1));
  if (value.starts_with('\'')) return "\"'\"" + with_commas_escaped(value.substr(1));
  return with_commas_escaped(value);
}

}  // namespace

base::Status AgentOptions::add(std::string_view key, std::string_view value) {
  if (value.ends_with('\\') && has(value, '\'') && has(value, '"'))
    return Error{ErrorCode::kUsage, 0, fmt::format("the value of {} cannot be quoted: {}", key, value)};
  text_ += fmt::format(",{}={}", key, quoted(value));
  return base::Done{};
}

void AgentOptions::add(std::string_view key) { text_ += fmt::format(",{}", key); }

base::Result<KeyValue> parse_key_value(const std::string& word) {
  const size_t equals = word.find('=');
  const bool alone = equals == std::string::npos;
  if (equals == 0 || (alone && !may_be_key(word)))
    return Error{ErrorCode::kUsage, 0, fmt::format("'{}' is no option of the agent; they are written key=value", word)};
  const std::string key = word.substr(0, equals);
  for (const std::string_view own : kOwnKeys) {
    if (key == own) return Error{ErrorCode::kUsage, 0, fmt::format("the option '{}' is jrec's own", key)};
  }
  if (key.find_first_of(",\\") != std::string::npos)
    return Error{ErrorCode::kUsage, 0, fmt::format("'{}' is no key of an option", key)};
  return alone ? KeyValue{key, {}, true} : KeyValue{key, word.substr(equals + 1)};
}

bool is_path_option(std::string_view key) {
  for (const std::string_view path : kPathOptions) {
    if (key == path) return true;
  }
  return false;
}

std::string absolute_pattern(const std::string& path) {
  std::error_code failed;
  if (path.starts_with('/')) return path;
  std::string here;
  for (const char c : std::filesystem::current_path(failed).string()) here.append(c == '%' ? 2 : 1, c);
  return failed ? path : here + "/" + path;
}

}  // namespace jrec
