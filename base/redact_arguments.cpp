// SPDX-License-Identifier: Apache-2.0
#include "base/redact_arguments.h"

#include <algorithm>
#include <utility>

#include "base/redact.h"
#include "base/secret_inside.h"
#include "base/secret_key.h"

namespace base {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

// --token=abc, and --passwd:abc of an option; npos: it is none.
size_t sign_behind_secret_key(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals != std::string_view::npos && is_secret_key(key_before(text, equals))) return equals;
  const size_t colon = text.find(':');
  const bool is_option = text.starts_with('-') && colon != std::string_view::npos && colon + 1 < text.size();
  if (is_option && key_before(text, colon).size() == colon && is_secret_key(text.substr(0, colon))) return colon;
  return std::string_view::npos;
}

bool is_scheme(std::string_view text) {
  return text == "Bearer" || text == "bearer" || text == "Basic" || text == "basic";
}

// A value in quotes with blanks in it may be a command line of its own: --run="curl --token abc". What is between the quotes of the
// first such value; empty: there is none.
std::string_view command_inside(std::string_view word) {
  for (size_t at = word.find('='); at < word.size(); at = word.find('=', at)) {
    const size_t begin = ++at + 1;
    if (at >= word.size() || (word[at] != '"' && word[at] != '\'')) continue;
    const size_t end = std::min(word.find(word[at], begin), word.size());
    const std::string_view value = word.substr(begin, end - begin);
    if (value.find_first_of(kBlanks) != std::string_view::npos) return value;
    at = end;
  }
  return {};
}

// Up to the next blank that is not in quotes behind an equals sign.
size_t end_of_word(std::string_view text, size_t begin) {
  size_t end = begin;
  for (; end < text.size() && !is_blank(text[end]); ++end) {
    const bool value_starts = end > begin && text[end - 1] == '=' && (text[end] == '"' || text[end] == '\'');
    if (value_starts) end = std::max(end, end_of_value(text, end, " ") - 1);
  }
  return end;
}

// Up to the next blank and dash that are not in quotes behind an equals sign.
size_t end_of_jvm_argument(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size()) {
    end = end_of_word(text, end);
    const size_t next = text.find_first_not_of(kBlanks, end);
    if (next == std::string_view::npos || text[next] == '-') break;
    end = next;
  }
  return end;
}

// Writes a command line anew, a word or a whole argument after the other.
class ArgumentRedactor {
 public:
  explicit ArgumentRedactor(ArgumentKind kind) : kind_(kind) {}

  // Known as a whole: what is secret in it ends with it, but for a key whose value is the next one.
  void argument(std::string_view text) {
    if (state_ == kValueComes && !text.starts_with('-')) {
      out_ += kRedacted;
      state_ = is_scheme(text) ? kValueComes : kHarmless;  // "Authorization:" "Bearer" "abc"
    } else if (const size_t sign = sign_behind_secret_key(text); sign != std::string_view::npos) {
      redact_behind(text, sign);
      state_ = kHarmless;
    } else {
      words(text);
      if (state_ == kInValue) state_ = kHarmless;
    }
  }

  void words(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      const size_t begin = std::min(text.find_first_not_of(kBlanks, at), text.size());
      const size_t end = end_of_word(text, begin);
      word(text.substr(at, begin - at), text.substr(begin, end - begin));
      at = end;
    }
  }

  void blanks(std::string_view text) { out_ += text; }

  std::string take() { return std::move(out_); }

 private:
  enum State : uint8_t {
    kHarmless,
    kValueComes,  // of a key that is a word of its own
    kInValue,     // up to the next option
  };

  // An empty word: the text ends with blanks.
  void word(std::string_view before, std::string_view word) {
    const bool is_option = word.starts_with('-');
    if (state_ == kInValue && !is_option) return;
    blanks(before);
    if (word.empty()) return;
    const size_t sign = sign_behind_secret_key(word);
    if (state_ == kValueComes && !is_option) {
      out_ += kRedacted;
      state_ = kInValue;
    } else if (sign != std::string_view::npos) {
      redact_behind(word, sign);
      state_ = is_quoted(word.substr(sign + 1)) ? kHarmless : kInValue;
    } else if (const std::string_view command = command_inside(word); !command.empty()) {
      const auto begin = static_cast<size_t>(command.data() - word.data());
      out_ += redact_inside(word.substr(0, begin), "&;,)").text + redact_arguments(command) +
              redact_inside(word.substr(begin + command.size()), "&;,)").text;
      state_ = kHarmless;
    } else {
      const Redacted redacted = redact_inside(word, "&;,)");
      out_ += redacted.text;
      state_ = redacted.goes_on ? kInValue : is_scheme(word) || announces_secret(word) ? kValueComes : kHarmless;
    }
  }

  void redact_behind(std::string_view text, size_t sign) { out_.append(text.substr(0, sign + 1)).append(kRedacted); }

  // "--token", "-p", "Authorization:", "\"Authorization:", "-Dopts=--token". -p is a port to some programs, a password to others, and to the JVM
  // the path of its modules.
  bool announces_secret(std::string_view word) const {
    if (word == "-p") return kind_ == ArgumentKind::kProgram;
    if (const size_t sign = word.rfind('='); sign != std::string_view::npos)
      return word.substr(sign + 1).starts_with('-') && is_secret_key(word.substr(sign + 1));
    return (word.starts_with('-') || word.ends_with(':')) && is_secret_key(word);
  }

  const ArgumentKind kind_;
  State state_ = kHarmless;
  std::string out_;
};

std::string redact_jvm_line(std::string_view line) {
  ArgumentRedactor redactor(ArgumentKind::kJvm);
  for (size_t at = 0; at < line.size();) {
    const size_t begin = std::min(line.find_first_not_of(kBlanks, at), line.size());
    const size_t end = end_of_jvm_argument(line, begin);
    redactor.blanks(line.substr(at, begin - at));
    if (begin < end) redactor.argument(line.substr(begin, end - begin));
    at = end;
  }
  return redactor.take();
}

// The last ones, of which the line consists; none, if it does not.
std::span<const std::string> tail_of(std::span<const std::string> arguments, std::string_view line) {
  for (size_t first = arguments.size(); first-- > 0;) {
    if (!line.ends_with(arguments[first])) return {};
    line.remove_suffix(arguments[first].size());
    if (line.empty()) return arguments.subspan(first);
    if (line.back() != ' ') return {};
    line.remove_suffix(1);
  }
  return {};
}

}  // namespace

std::string redact_arguments(std::string_view line, ArgumentKind kind) {
  if (kind == ArgumentKind::kJvm) return redact_jvm_line(line);
  ArgumentRedactor redactor(kind);
  redactor.words(line);
  return redactor.take();
}

std::string redact_arguments(std::string_view line, std::span<const std::string> arguments) {
  const std::span<const std::string> apart = tail_of(arguments, line);
  return apart.empty() ? redact_arguments(line) : redact_each(apart, ArgumentKind::kProgram);
}

std::string redact_each(std::span<const std::string> arguments, ArgumentKind kind) {
  ArgumentRedactor redactor(kind);
  std::string_view between;
  for (const std::string& argument : arguments) {
    redactor.blanks(between);
    redactor.argument(argument);
    between = " ";
  }
  return redactor.take();
}

}  // namespace base
