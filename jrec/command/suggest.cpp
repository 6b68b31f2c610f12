// SPDX-License-Identifier: Apache-2.0
#include "jrec/command/suggest.h"

#include <sys/stat.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "jrec/base/escape.h"

namespace jrec {
namespace {

constexpr std::string_view kArchiveEnd = ".recz:";

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_file(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

const CommandWords* named(const std::vector<CommandWords>& commands, std::string_view name) {
  const auto found = std::ranges::find(commands, name, &CommandWords::name);
  return found == commands.end() ? nullptr : &*found;
}

Suggestions commands_of(const std::vector<CommandWords>& commands) {
  Suggestions all;
  for (const CommandWords& command : commands) all.push_back({command.name, command.what});
  return all;
}

Suggestions plain_words(const std::vector<std::string>& words) {
  Suggestions all;
  for (const std::string& word : words) all.push_back({word, ""});
  return all;
}

// What was said so far: the command, its verb, the words that are neither, and what the last word is of.
class Line {
 public:
  Line(const ProgramWords& program, const std::vector<std::string>& words) : program_(program) {
    word_ = words.empty() ? "" : words.back();
    for (size_t i = 0; i + 1 < words.size(); ++i) take(words[i]);
  }

  const std::string& word() const { return word_; }
  const CommandWords* command() const { return command_; }
  const CommandWords* verb() const { return verb_; }
  const std::string& option() const { return option_; }  // whose value the word is; empty: of none
  const std::vector<std::string>& arguments() const { return arguments_; }
  bool needs_verb() const { return command_ != nullptr && verb_ == nullptr && !command_->verbs.empty(); }

  // The first argument that is a file.
  std::string recording() const {
    const auto found = std::ranges::find_if(arguments_, is_file);
    return found == arguments_.end() ? "" : *found;
  }

  // What alone may stand there; none: anything.
  std::vector<std::string> choices() const {
    const OptionWords* taker = option_.empty() ? argument() : found(option_);
    return taker == nullptr ? std::vector<std::string>() : taker->choices;
  }

  Suggestions options() const {
    Suggestions all;
    for (const auto* list : option_lists())
      for (const OptionWords& option : *list)
        for (const std::string& name : option.names) all.push_back({name, option.what});
    return all;
  }

 private:
  std::vector<const std::vector<OptionWords>*> option_lists() const {
    std::vector<const std::vector<OptionWords>*> lists;
    if (verb_ != nullptr) lists.push_back(&verb_->options);
    if (command_ != nullptr) lists.push_back(&command_->options);
    lists.push_back(&program_.options);
    return lists;
  }

  const OptionWords* found(const std::string& name) const {
    for (const auto* list : option_lists())
      for (const OptionWords& option : *list)
        if (std::ranges::find(option.names, name) != option.names.end()) return &option;
    return nullptr;
  }

  // What the word is, if it is neither an option nor an option's value.
  const OptionWords* argument() const {
    const auto& all = (verb_ != nullptr ? verb_ : command_)->options;
    size_t before = arguments_.size();
    for (const OptionWords& each : all)
      if (each.names.empty() && before-- == 0) return &each;
    return nullptr;
  }

  void take(const std::string& word) {
    if (!option_.empty()) return option_.clear();
    if (word.size() > 1 && word[0] == '-') {
      if (const OptionWords* option = found(word); option != nullptr && !option->value.empty()) option_ = word;
    } else if (command_ == nullptr) {
      command_ = named(program_.commands, word);
    } else if (needs_verb()) {
      verb_ = named(command_->verbs, word);
    } else {
      arguments_.push_back(word);
    }
  }

  const ProgramWords& program_;
  std::string word_, option_;
  const CommandWords* command_ = nullptr;
  const CommandWords* verb_ = nullptr;
  std::vector<std::string> arguments_;
};

Suggested of_value(const Line& line, const NameSources& names) {
  const std::string& option = line.option();
  if (const auto choices = line.choices(); !choices.empty()) return {plain_words(choices)};
  if (is_one_of(option, {"--event", "-e"}))
    return {line.command()->name == "print" ? names.events(line.recording()) : names.samples(line.recording())};
  if (option == "--events") return {names.types(line.recording())};
  if (is_one_of(option, {"--thread", "--threads"})) return {names.threads(line.recording())};
  return {{}, true};
}

// shop.recz:mon --> shop.recz:monday.jfr
Suggestions members_behind(const std::string& word, const NameSources& names) {
  const std::string archive = word.substr(0, word.find(kArchiveEnd) + kArchiveEnd.size() - 1);
  Suggestions members = names.members(archive);
  for (Suggestion& member : members) member.word = archive + ":" + member.word;
  return members;
}

Suggested of_argument(const Line& line, const ProgramWords& program, const NameSources& names) {
  const std::string& command = line.command()->name;
  if (line.word().find(kArchiveEnd) != std::string::npos) return {members_behind(line.word(), names)};
  if (command == "help") return {commands_of(program.commands)};
  if (const auto choices = line.choices(); !choices.empty()) return {plain_words(choices)};
  if (command == "view") return {names.views(), true};
  if (line.verb() != nullptr && !line.arguments().empty()) return {names.members(line.arguments().front()), true};
  if (is_one_of(command, {"start", "stop", "dump", "status", "set", "threads"})) return {names.jvms()};
  if (is_one_of(command, {"top", "open", "recover"})) return {names.jvms(), true};
  return {{}, true};
}

Suggested all_that_may_be(const Line& line, const ProgramWords& program, const NameSources& names) {
  if (!line.option().empty()) return of_value(line, names);
  if (line.word().starts_with('-')) return {line.options()};
  if (line.command() == nullptr) return {commands_of(program.commands)};
  if (line.needs_verb()) return {commands_of(line.command()->verbs)};
  return of_argument(line, program, names);
}

}  // namespace

Suggested suggest(const ProgramWords& program, const std::vector<std::string>& words, const NameSources& names) {
  const Line line(program, words);
  Suggested all = all_that_may_be(line, program, names);
  std::erase_if(all.words, [&](const Suggestion& each) { return !each.word.starts_with(line.word()); });
  return all;
}

std::string suggestion_lines(const Suggested& suggested) {
  std::string lines;
  for (const Suggestion& each : suggested.words) lines += plain(each.word) + "\t" + plain(each.what) + "\n";
  return lines + (suggested.files ? ":files\n" : "");
}

}  // namespace jrec
