// SPDX-License-Identifier: Apache-2.0
// ProgramWords is what a command line may say, read off its parser: so completions and the manual never lag behind it.
#pragma once

#include <string>
#include <vector>

namespace jrec {

struct OptionWords {
  std::vector<std::string> names;    // "--output", "-o"; none: what stands for itself, as FILE
  std::string value;                 // what follows it: "FILE", "TEXT"; empty: nothing does
  std::string what;                  // one line
  std::vector<std::string> choices;  // the only words that are taken; none: any
};

struct CommandWords {
  std::string name;
  std::string what;
  std::string topic;  // it stands under in --help
  std::vector<OptionWords> options;
  std::vector<CommandWords> verbs;  // the commands below it: add, list, ... of archive
};

struct ProgramWords {
  std::string program, what, version;
  std::vector<OptionWords> options;  // of every command
  std::vector<CommandWords> commands;
};

}  // namespace jrec
