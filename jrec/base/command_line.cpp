// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/nearest.h"
#include "jrec/base/append_format.h"
#include "jrec/base/columns.h"
#include "jrec/base/terminal.h"

namespace jrec {
namespace {

constexpr size_t kHelpColumn = 34;  // where what an option means begins

// "UINT:INT in [1 - 200]" as N (1 to 200), "TEXT:{bash,zsh}" as bash|zsh, the other types as they are.
struct ValueWords {
  std::string value, range;
};

// a|b|c, one_of() or as a type's name.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  if (value.find('|') == std::string::npos) return choices;
  for (size_t begin = 0; begin <= value.size(); begin += choices.back().size() + 1)
    choices.push_back(value.substr(begin, value.find('|', begin) - begin));
  return choices;
}

ValueWords value_words(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  ValueWords words{type.substr(0, type.find_first_of(" :=")), ""};
  if (words.value == "UINT" || words.value == "INT" || words.value == "FLOAT") words.value = "N";
  if (type.starts_with("[")) words.value = type;  // [NAME ...] FILE: as it was told
  const size_t set = type.find(":{"), range = type.find(" in [");
  if (set != std::string::npos) {
    words.value = type.substr(set + 2, type.rfind('}') - set - 2);
    std::replace(words.value.begin(), words.value.end(), ',', '|');
  }
  if (range == std::string::npos) return words;
  words.range = type.substr(range + 5, type.rfind(']') - range - 5);
  if (const size_t dash = words.range.find(" - "); dash != std::string::npos) words.range.replace(dash, 3, " to ");
  return words;
}

class HelpText : public CLI::Formatter {
 public:
  // How it is called from outside: with the words in front of it.
  std::string make_usage(const CLI::App* app, std::string name) const override {
    for (const CLI::App* above = app->get_parent(); above != nullptr; above = above->get_parent())
      name = above->get_name() + " " + name;
    std::string usage = "Usage: " + name;
    if (!app->get_options([](const CLI::Option* option) { return option->nonpositional(); }).empty())
      usage += " [OPTION]...";
    for (const CLI::Option* word : app->get_options([](const CLI::Option* option) { return option->get_positional(); }))
      usage += word->get_required() ? " " + name_of(*word) : " [" + name_of(*word) + "]";
    if (app->get_require_subcommand_max() != 0 && !app->get_subcommands({}).empty()) usage += " COMMAND";
    return usage + "\n";
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    const ValueWords words = value_words(*option);
    if (option->get_type_size() != 0 && !option->get_positional()) text = " " + words.value;
    if (!words.range.empty()) text += " (" + words.range + ")";
    if (!option->get_default_str().empty()) text += " [" + option->get_default_str() + "]";
    return text;
  }

 private:
  // FILE of "FILE", [NAME ...] FILE where the type says so.
  static std::string name_of(const CLI::Option& word) {
    const std::string type = word.get_type_name();
    return type.starts_with("[") ? type : word.get_name(true) + (word.get_items_expected_max() > 1 ? "..." : "");
  }
};

// What an option means goes on under its beginning, if that leaves room.
std::string help_of(const CLI::App& app) {
  constexpr size_t kWidest = 120, kLeastRoom = 20;
  const size_t width = std::min(terminal_columns(), kWidest);
  return wrapped(app.help(), width, width >= kHelpColumn + kLeastRoom ? kHelpColumn : 4);
}

// The command that was meant, as it is written: jrec archive.
std::string written(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* above = app.get_parent(); above != nullptr; above = above->get_parent())
    name = above->get_name() + " " + name;
  return name;
}

const CLI::App& chosen_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_of(*chosen.front());
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names =
      app.get_parent() == nullptr ? std::vector<std::string>() : option_names(*app.get_parent());
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = base::nearest(word, known);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

// A word that means nothing where it stands.
std::string unexpected(const CLI::App& command, const std::string& word) {
  if (!word.starts_with('-')) return written(command) + " has no use for '" + word + "'";
  const std::string name = word.substr(0, word.find('='));
  return written(command) + " has no option '" + name + "'" + did_you_mean(name, option_names(command));
}

std::string no_command(const CLI::App& group, const std::vector<std::string>& rest) {
  std::vector<std::string> names;
  for (const CLI::App* command : group.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(command->get_name());
  if (rest.empty()) return written(group) + " wants a command behind it: " + joined(names, ", ");
  if (rest[0].starts_with('-')) return unexpected(group, rest[0]);
  const std::string near = did_you_mean(rest[0], names);
  return written(group) + " has no command '" + rest[0] + "'" +
         (near.empty() ? "; there are " + joined(names, ", ") : near);
}

bool takes_value(const CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent())
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option->get_items_expected_max() > 0;
  return false;
}

// --thread= of a shell's variable that is not set: the parser would take the next word for its value.
std::string empty_value(const CLI::App& command, std::span<const char* const> words) {
  for (const std::string_view word : words) {
    if (word == "--") break;
    if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
    if (takes_value(&command, std::string(word.substr(0, word.size() - 1))))
      return fmt::format("{} is empty; leave it out, or put a value behind it", word);
  }
  return "";
}

// The parser's words of an option that takes one value and has several.
std::string in_plain_words(const std::string& complaint) {
  const size_t at = complaint.find(": At Most 1 required but received ");
  return at == std::string::npos ? complaint : complaint.substr(0, at) + " is given more than once";
}

// The parser would take -1 for the largest number there is.
std::string below_zero(const std::string& word) {
  return word.starts_with('-') ? word + " is below zero" : std::string();
}

// Numbers as a person reads the refusal; the parser's own words are of types and conversions.
template <typename T>
std::string no_number(const std::string& word) {
  T number{};
  if (CLI::detail::lexical_cast(word, number)) return "";
  double real = 0;
  return "'" + word + "' is no " + (CLI::detail::lexical_cast(word, real) ? "whole number" : "number");
}

template <typename T>
CLI::Range range_of(T least, T most) {
  CLI::Range range(least, most);
  range.operation([least, most](const std::string& word) {
    T number{};
    const bool is_in = CLI::detail::lexical_cast(word, number) && number >= least && number <= most;
    return is_in ? "" : fmt::format("{} is not from {} to {}", word, least, most);
  });
  return range;
}

// The parser's, with the nearest.
CLI::IsMember member_of(const std::vector<std::string>& words) {
  CLI::IsMember member(words);
  const std::string all = fmt::format("{{{}}}", joined(words, ","));
  member.operation([words, all](const std::string& word) {
    const bool is_one = std::ranges::find(words, word) != words.end();
    return is_one ? std::string() : fmt::format("{} not in {}{}", word, all, did_you_mean(word, words));
  });
  return member;
}

// A shell makes it of "$OUT" where OUT is not set; it would stand for what is done where no name is given.
std::string no_name(const std::string& word) { return word.empty() ? "a name is missing" : std::string(); }

template <typename T>
struct Plain {
  using type = T;
};
template <typename T>
struct Plain<std::optional<T>> {
  using type = T;
};

}  // namespace

Option Option::required() { return parsed_->required(), *this; }
Option Option::default_str(const std::string& text) { return parsed_->default_str(text), *this; }
Option Option::type_name(const std::string& text) { return parsed_->type_name(text), *this; }
Option Option::needs(Option other) { return parsed_->needs(other.parsed_), *this; }
Option Option::excludes(Option other) { return parsed_->excludes(other.parsed_), *this; }
Option Option::repeatable() { return parsed_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll), *this; }
Option Option::words(int least, int most) {
  return (least == most ? parsed_->expected(least) : parsed_->expected(least, most)), *this;
}
Option Option::one_word() { return parsed_->allow_extra_args(false), *this; }
Option Option::delimiter(char between) { return parsed_->delimiter(between), *this; }

Option Option::in_range(int least, int most) { return parsed_->check(range_of(least, most)), *this; }
Option Option::in_range(uint64_t least, uint64_t most) { return parsed_->check(range_of(least, most)), *this; }
Option Option::in_range(double least, double most) { return parsed_->check(range_of(least, most)), *this; }
Option Option::one_of(const std::vector<std::string>& words) { return parsed_->check(member_of(words)), *this; }
Option Option::check(std::function<std::string(const std::string&)> check) {
  return parsed_->check(std::move(check)), *this;
}

Command Command::add_command(const std::string& name, const std::string& what) {
  return Command(parser_->add_subcommand(name, what));
}

void Command::require_command() { parser_->require_subcommand(1); }
std::string Command::chosen_command() const { return parser_->get_subcommands().front()->get_name(); }
void Command::under(const std::string& topic) { parser_->group(topic); }
void Command::hide() { parser_->group(""); }

template <typename T>
Option Command::add_option(const std::string& names, T& variable, const std::string& what) {
  CLI::Option* option = parser_->add_option(names, variable, what);
  using Value = typename Plain<T>::type;
  if constexpr (std::is_unsigned_v<Value>) option->check(below_zero);
  if constexpr (std::is_arithmetic_v<Value>) option->check(no_number<Value>);
  if (option->check_name("--output")) option->check(no_name);
  return Option(option);
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, int64_t&, const std::string&);
template Option Command::add_option(const std::string&, uint32_t&, const std::string&);
template Option Command::add_option(const std::string&, uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<uint32_t>&, const std::string&);

Option Command::add_flag(const std::string& names, bool& variable, const std::string& what) {
  return Option(parser_->add_flag(names, variable, what));
}

Option Command::on_flag(const std::string& names, std::function<void()> call, const std::string& what) {
  return Option(parser_->add_flag_callback(names, std::move(call), what));
}

Option Command::on_text(const std::string& names, std::function<void(const std::string&)> call,
                        const std::string& what) {
  return Option(parser_->add_option_function<std::string>(names, call, what));
}

Option Command::on_texts(const std::string& names, std::function<void(const std::vector<std::string>&)> call,
                         const std::string& what) {
  return Option(parser_->add_option_function<std::vector<std::string>>(names, call, what));
}

Option Command::option(const std::string& name) { return Option(parser_->get_option(name)); }

CommandLine::CommandLine(const std::string& program, const std::string& what, const std::string& version)
    : parser_(std::make_unique<CLI::App>(what, program)), version_(version) {
  parser_->formatter(std::make_shared<HelpText>());
  parser_->get_formatter()->column_width(kHelpColumn);
  parser_->set_help_flag("-h,--help", "this help");
  parser_->set_version_flag("--version", program + " " + version, "which one this is");
  parser_->require_subcommand(1);
  parser_->fallthrough();
  parser_->failure_message(CLI::FailureMessage::simple);
}

CommandLine::~CommandLine() = default;

std::string CommandLine::help() const { return help_of(*parser_); }

std::string CommandLine::refusal(const std::string& complaint) const {
  const CLI::App& chosen = chosen_of(*parser_);
  const std::vector<std::string> rest = parser_->remaining(true);
  const bool lacks_command = chosen.get_require_subcommand_min() > 0 && chosen.get_subcommands().empty();
  if (lacks_command) return no_command(chosen, rest);
  for (const std::string& word : rest)
    if (word.starts_with('-') && word != "-") return unexpected(chosen, word);
  if (!rest.empty() && complaint.find("not expected") != std::string::npos) return unexpected(chosen, rest[0]);
  return in_plain_words(complaint);
}

CommandLine::Answer CommandLine::parse(int argc, const char* const* argv) {
  std::string complaint;
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {Answer::kPrint, help_of(chosen_of(*parser_))};
  } catch (const CLI::CallForVersion& version) {
    return {Answer::kPrint, std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    complaint = refusal(error.what());
  }
  const CLI::App& chosen = chosen_of(*parser_);
  if (std::string empty = empty_value(chosen, {argv, static_cast<size_t>(argc)}); !empty.empty())
    complaint = std::move(empty);
  if (complaint.empty()) return {Answer::kRun, ""};
  return {Answer::kRefuse, fmt::format("{} ({} --help tells more)", complaint, written(chosen))};
}

namespace {

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  words.what = option.get_description();
  words.choices = choices_of(value_words(option).value);
  if (option.get_items_expected_max() == 0) return words;
  words.value = words.names.empty() ? option.get_name(true) : option.get_type_name();
  if (words.value.empty()) words.value = "VALUE";
  words.value.resize(std::min(words.value.find_first_of(" :="), words.value.size()));
  return words;
}

std::vector<OptionWords> options_of(const CLI::App& app) {
  std::vector<OptionWords> all;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) all.push_back(words_of(*option));
  return all;
}

std::vector<CommandWords> commands_of(const CLI::App& app) {
  std::vector<CommandWords> all;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty())
      all.push_back({command->get_name(), command->get_description(), command->get_group(), options_of(*command),
                     commands_of(*command)});
  return all;
}

}  // namespace

ProgramWords CommandLine::words() const {
  return {parser_->get_name(), parser_->get_description(), version_, options_of(*parser_), commands_of(*parser_)};
}

}  // namespace jrec
