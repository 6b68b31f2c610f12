// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/command_list.h"

#include <utility>

namespace jrec {

Command CommandList::declare(const std::string& name, const std::string& what) {
  names_.push_back(name);
  Command command = parent_.add_command(name, what);
  if (!topic_.empty()) command.under(topic_);
  return command;
}

Command CommandList::add(const std::string& name, const std::string& what, Run run) {
  runs_[name] = std::move(run);
  return declare(name, what);
}

CommandList& CommandList::add_group(const std::string& name, const std::string& what) {
  Command group = declare(name, what);
  group.require_command();
  const CommandList& below = *groups_.emplace_back(std::make_unique<CommandList>(group));
  runs_[name] = [&below](Output& out) { return below.run(out); };
  return *groups_.back();
}

}  // namespace jrec
