// SPDX-License-Identifier: Apache-2.0
#include "agent/options/options.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "agent/options/one_line.h"
#include "agent/options/option_list.h"
#include "agent/options/option_table.h"
#include "base/nearest.h"
#include "base/units.h"

namespace rec::agent {
namespace {

std::string quoted(std::string_view text) {
  return "'" + in_one_line(text) + (text.size() > kLongestQuote ? "...'" : "'");
}

std::vector<std::string_view> split_choices(std::string_view choices) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t bar = choices.find('|');
    words.push_back(choices.substr(0, bar));
    if (bar == std::string_view::npos) return words;
    choices.remove_prefix(bar + 1);
  }
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& words) {
  const std::string near = base::nearest(word, words);
  return near.empty() ? "" : "; did you mean " + quoted(near) + "?";
}

std::string unknown_option(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const OptionRow& row : option_table()) {
    keys.push_back(row.key);
    if (!row.synonym.empty()) keys.push_back(row.synonym);
  }
  return "unknown option " + quoted(key) + did_you_mean(key, keys);
}

std::string example_of(const OptionRow& row) {
  if (row.kind == OptionKind::kDuration) return "a time such as 20ms";
  if (row.kind == OptionKind::kSize) return "a size such as 12m";
  return "a whole number";
}

std::optional<int64_t> parse_number(const OptionRow& row, std::string_view text) {
  if (row.kind == OptionKind::kDuration) return base::parse_duration(text, row.bare_unit_ns);
  if (row.kind == OptionKind::kSize) return base::parse_size(text);
  return base::parse_count(text);
}

// Each read_ returns what is wrong with the item, or nothing and the value.
std::string read_number(const OptionRow& row, const OptionItem& item, OptionValue& value) {
  if (row.can_be_off && item.value == "off") return value.number = kOff, "";
  const bool off = row.zero_is_off && item.value == row.zero_word;
  const auto number = off ? std::optional<int64_t>(0) : parse_number(row, item.value);
  const std::string what = item.key + "=" + item.value;
  if (!number) return quoted(what) + " is not " + example_of(row);
  value.number = *number;
  if (*number == 0 && row.zero_is_off) return "";
  if (*number < row.smallest) return quoted(what) + " is too small; the smallest is " + number_text(row, row.smallest);
  if (*number > row.largest) return quoted(what) + " is too large; the largest is " + number_text(row, row.largest);
  return "";
}

// Times with colons between, each later than the one before.
std::string read_durations(const OptionRow& row, const OptionItem& item, OptionValue& value) {
  constexpr size_t kMost = 5;
  const std::string what = quoted(item.key + "=" + item.value);
  std::string_view rest = item.value;
  for (bool more = true; more;) {
    const size_t colon = rest.find(':');
    const auto number = base::parse_duration(rest.substr(0, colon), row.bare_unit_ns);
    if (!number || *number < row.smallest || *number > row.largest)
      return what + " is not a list of times such as 10ms:20ms:1s";
    if (!value.numbers.empty() && *number <= value.numbers.back()) return what + " has times that do not rise";
    value.numbers.push_back(*number);
    more = colon != std::string_view::npos;
    if (more) rest.remove_prefix(colon + 1);
  }
  return value.numbers.size() > kMost ? what + " has more than five times" : "";
}

std::string read_choice(const OptionRow& row, const OptionItem& item, OptionValue& value) {
  const auto words = split_choices(row.choices);
  for (size_t i = 0; i < words.size(); ++i) {
    value.number = static_cast<int64_t>(i);
    if (item.value == words[i]) return "";
  }
  const std::string what = quoted(item.key + "=" + item.value) + " is not one of " + std::string(row.choices);
  return what + did_you_mean(item.value, words);
}

std::string read_text(const OptionItem& item, OptionValue& value) {
  if (item.value.empty()) return quoted(item.key + "=") + " has no value";
  if (item.value.find('\0') != std::string::npos) return quoted(item.key) + " has a zero byte in its value";
  value.text = item.value;
  return "";
}

std::string read_value(const OptionRow& row, const OptionItem& item, OptionValue& value) {
  if (row.kind == OptionKind::kWord) return item.has_value ? quoted(item.key) + " takes no value" : "";
  if (!item.has_value && row.may_stand_alone) return value.number = kNotGiven, "";
  if (!item.has_value) return quoted(item.key) + " needs a value, as in " + quoted(item.key + "=...");
  if (item.open_quote) return "the quote after " + quoted(item.key + "=") + " is never closed";
  switch (row.kind) {
    case OptionKind::kText: return read_text(item, value);
    case OptionKind::kTimes: return read_durations(row, item, value);
    case OptionKind::kChoice: return read_choice(row, item, value);
    default: return read_number(row, item, value);
  }
}

std::string apply_one(const OptionRow& row, const OptionItem& item, Options& options) {
  OptionValue value;
  std::string wrong = read_value(row, item, value);
  if (!wrong.empty()) return wrong;
  row.set(options, value);
  if (row.can_be_off && value.number >= 0) options.set_interval_given(row.setting);
  return wrong;
}

std::string apply(const OptionItem& item, Options& options) {
  const OptionRow* row = find_option(item.key);
  if (row == nullptr) return unknown_option(item.key);
  options.set_named(row->setting);
  if (!row->several) return apply_one(*row, item, options);
  std::string wrong;
  OptionItem each = item;
  for (size_t from = 0; wrong.empty() && from <= item.value.size(); from += each.value.size() + 1) {
    each.value = item.value.substr(from, item.value.find(',', from) - from);
    wrong = apply_one(*row, each, options);
  }
  return wrong;
}

bool is_command(std::string_view word) { return std::ranges::find(kCommandWords, word) != kCommandWords.end(); }

// Whoever passes on what others have written, as Java does behind "start,", must not end a recording by it.
std::optional<Error> second_command(const std::vector<OptionItem>& items) {
  const OptionItem* first = nullptr;
  for (const OptionItem& item : items) {
    if (item.has_value || !is_command(item.key)) continue;
    if (first != nullptr && first->key != item.key)
      return Error{
          base::ErrorCode::kUsage, item.offset,
          quoted(first->key) + " and " + quoted(item.key) + " are two commands, and one is carried out at a time"};
    first = &item;
  }
  return std::nullopt;
}

// Of the command `set`: it takes settings only, and at least one.
std::optional<Error> not_for_set(const std::vector<OptionItem>& items) {
  std::string takes;
  for (const OptionRow& row : option_table())
    if (row.setting < Setting::kOfCommand) takes += (takes.empty() ? "" : ", ") + std::string(row.key);
  bool sets = false;
  for (const OptionItem& item : items) {
    const OptionRow* row = find_option(item.key);
    if (row == nullptr) continue;
    if (row->setting == Setting::kFixed)
      return Error{base::ErrorCode::kUsage, item.offset,
                   quoted(item.key) + " stays as it is while a recording runs; set takes " + takes};
    sets = sets || row->setting < Setting::kOfCommand;
  }
  if (sets) return std::nullopt;
  return Error{base::ErrorCode::kUsage, 0, "set needs what is to change, as in set,wall=50ms,alloc=off"};
}

}  // namespace

Result<Options> parse_options(std::string_view text, bool* exit_on_error, std::string* answer) {
  Options options;
  std::optional<Error> first;
  const std::vector<OptionItem> items = split_options(text);
  for (const OptionItem& item : items) {
    std::string wrong = apply(item, options);
    if (!wrong.empty() && !first) first = Error{base::ErrorCode::kUsage, item.offset, std::move(wrong)};
  }
  if (!first) first = second_command(items);
  if (options.command == AgentCommand::kSet && !first) first = not_for_set(items);
  options.named &= (1u << static_cast<unsigned>(Setting::kOfCommand)) - 1;
  *exit_on_error = options.on_error == OnError::kExit;
  if (answer != nullptr) *answer = options.answer;
  if (first) return *first;
  return options;
}

std::string refusal_line(const Error& error, bool exit_on_error) {
  std::string line = "rec: " + error.what;
  if (!error.what.ends_with('?')) line += '.';
  line += exit_on_error ? " The JVM ends (onerror=exit)." : " The application runs unrecorded.";
  if (error.code == base::ErrorCode::kUsage) line += " Try 'help'.";
  return line;
}

}  // namespace rec::agent
