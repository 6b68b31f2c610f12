// SPDX-License-Identifier: Apache-2.0
// CommandList holds the commands of jrec: how each is written, and what it runs.
//
//   auto options = std::make_shared<HotOptions>();
//   CLI::App& hot = commands.add("hot", "The hottest methods", [options](Output& out) { return run_hot(*options, out);
//   }); hot.add_option("FILE", options->file);
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

class CommandList {
 public:
  using Run = std::function<ExitCode(Output&)>;

  explicit CommandList(CLI::App& app) : app_(app) {}

  CLI::App& add(const std::string& name, const std::string& what, Run run) {
    names_.push_back(name);
    runs_[name] = std::move(run);
    return *app_.add_subcommand(name, what);
  }

  const std::vector<std::string>& names() const { return names_; }

  // The command that was chosen; only after the words were parsed.
  ExitCode run(Output& out) const { return runs_.at(app_.get_subcommands().front()->get_name())(out); }

 private:
  CLI::App& app_;
  std::vector<std::string> names_;  // in the order of --help
  std::map<std::string, Run> runs_;
};

}  // namespace jrec
