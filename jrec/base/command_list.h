// SPDX-License-Identifier: Apache-2.0
// CommandList holds the commands of jrec, or those below one of them: how each is written, and what it runs.
//
//   auto options = std::make_shared<HotOptions>();
//   Command hot = commands.add("hot", "The hottest methods", [options](Output& out) { return run_hot(*options, out); });
//   hot.add_option("FILE", options->file, "recording (.jfr)").required();
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "jrec/base/command_line.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

class CommandList {
 public:
  using Run = std::function<ExitCode(Output&)>;

  explicit CommandList(Command parent) : parent_(parent) {}

  // What is added from now on stands under that topic in --help.
  void topic(const std::string& topic) { topic_ = topic; }
  Command add(const std::string& name, const std::string& what, Run run);
  // Its text is never paged: it draws on the terminal itself, or talks with whoever is there.
  void keep_terminal(const std::string& name) { keep_terminal_.insert(name); }
  // --output of such a command is refused with these words.
  void refuse_output(const std::string& name, const std::string& why) { no_output_[name] = why; }
  std::string why_no_output() const {  // of the one that was chosen; empty: it may have one
    const auto refused = no_output_.find(parent_.chosen_command());
    return refused == no_output_.end() ? "" : refused->second;
  }
  bool keeps_terminal() const { return keep_terminal_.contains(parent_.chosen_command()); }
  // A command that does nothing but with one of those below it: archive add, archive list, ...
  CommandList& add_group(const std::string& name, const std::string& what);

  const std::vector<std::string>& names() const { return names_; }

  // The command that was chosen; only after the words were parsed.
  ExitCode run(Output& out) const { return runs_.at(parent_.chosen_command())(out); }

 private:
  Command declare(const std::string& name, const std::string& what);

  Command parent_;
  std::string topic_;
  std::vector<std::string> names_;  // in the order of --help
  std::map<std::string, Run> runs_;
  std::set<std::string> keep_terminal_;
  std::map<std::string, std::string> no_output_;  // by name
  std::vector<std::unique_ptr<CommandList>> groups_;
};

}  // namespace jrec
