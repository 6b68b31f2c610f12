// SPDX-License-Identifier: Apache-2.0
// ShellWords is what a command line may say, read off the parser: so completions and the manual never lag behind it.
//
//   shell_words(app) --> completion(words, Shell::kBash | kZsh)       the text of a completion script
//                    --> manual(words)                                the text of jrec(1), for man
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace jrec {

struct OptionWords {
  std::vector<std::string> names;  // "--output", "-o"; none: what stands for itself, as FILE
  std::string value;               // what follows it: "FILE", "TEXT"; empty: nothing does
  std::string what;                // one line
};

struct CommandWords {
  std::string name;
  std::string what;
  std::vector<OptionWords> options;
  std::vector<CommandWords> verbs;  // the commands below it: add, list, ... of archive
};

struct ShellWords {
  std::string program, what, version;
  std::vector<OptionWords> options;  // of every command
  std::vector<CommandWords> commands;
};

ShellWords shell_words(const CLI::App& app, const std::string& version);

enum class Shell { kBash, kZsh };
std::string completion(const ShellWords& words, Shell shell);
std::string manual(const ShellWords& words);

}  // namespace jrec
