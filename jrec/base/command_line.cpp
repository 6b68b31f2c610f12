// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace jrec {

Option Option::required() { return parsed_->required(), *this; }
Option Option::default_str(const std::string& text) { return parsed_->default_str(text), *this; }
Option Option::type_name(const std::string& text) { return parsed_->type_name(text), *this; }
Option Option::excludes(Option other) { return parsed_->excludes(other.parsed_), *this; }
Option Option::repeatable() { return parsed_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll), *this; }
Option Option::words(int least, int most) {
  return (least == most ? parsed_->expected(least) : parsed_->expected(least, most)), *this;
}
Option Option::one_word() { return parsed_->allow_extra_args(false), *this; }
Option Option::delimiter(char between) { return parsed_->delimiter(between), *this; }

Option Option::in_range(int least, int most) { return parsed_->check(CLI::Range(least, most)), *this; }
Option Option::in_range(uint64_t least, uint64_t most) { return parsed_->check(CLI::Range(least, most)), *this; }
Option Option::in_range(double least, double most) { return parsed_->check(CLI::Range(least, most)), *this; }
Option Option::one_of(const std::vector<std::string>& words) { return parsed_->check(CLI::IsMember(words)), *this; }
Option Option::check(std::function<std::string(const std::string&)> check) {
  return parsed_->check(std::move(check)), *this;
}

Command Command::add_command(const std::string& name, const std::string& what) {
  return Command(parser_->add_subcommand(name, what));
}

void Command::require_command() { parser_->require_subcommand(1); }
std::string Command::chosen_command() const { return parser_->get_subcommands().front()->get_name(); }
void Command::hide() { parser_->group(""); }

template <typename T>
Option Command::add_option(const std::string& names, T& variable, const std::string& what) {
  return Option(parser_->add_option(names, variable, what));
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
  parser_->set_version_flag("--version", program + " " + version);
  parser_->require_subcommand(1);
  parser_->fallthrough();
  parser_->failure_message(CLI::FailureMessage::simple);
}

CommandLine::~CommandLine() = default;

CommandLine::Answer CommandLine::parse(int argc, const char* const* argv) {
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = parser_->get_subcommands();
    return {Answer::kPrint, chosen.empty() ? parser_->help() : chosen.front()->help()};
  } catch (const CLI::CallForVersion& version) {
    return {Answer::kPrint, std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    return {Answer::kRefuse, error.what()};
  }
  return {Answer::kRun, ""};
}

namespace {

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  words.what = option.get_description();
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
      all.push_back({command->get_name(), command->get_description(), options_of(*command), commands_of(*command)});
  return all;
}

}  // namespace

ProgramWords CommandLine::words() const {
  return {parser_->get_name(), parser_->get_description(), version_, options_of(*parser_), commands_of(*parser_)};
}

}  // namespace jrec
