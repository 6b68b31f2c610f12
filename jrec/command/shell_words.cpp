// SPDX-License-Identifier: Apache-2.0
#include "jrec/command/shell_words.h"

namespace jrec {
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

ShellWords shell_words(const CLI::App& app, const std::string& version) {
  return {app.get_name(), app.get_description(), version, options_of(app), commands_of(app)};
}

}  // namespace jrec
