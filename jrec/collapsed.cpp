// SPDX-License-Identifier: Apache-2.0
#include "jrec/collapsed.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "jrec/escape.h"

namespace jrec {

void print_collapsed(const StackTree& tree, Output& out) {
  std::vector<std::string> names;
  for (const std::string& name : tree.names()) {
    names.push_back(plain(name));
    std::replace(names.back().begin(), names.back().end(), ';', ',');
  }
  struct Step {
    uint32_t node;
    size_t prefix;  // length of the line in front of it
  };
  std::string line;
  std::vector<Step> todo;
  const auto& nodes = tree.nodes();
  for (uint32_t child = nodes[0].first_child; child != 0; child = nodes[child].next_sibling) todo.push_back({child, 0});
  std::reverse(todo.begin(), todo.end());
  while (!todo.empty()) {
    const Step step = todo.back();
    todo.pop_back();
    line.resize(step.prefix);
    if (step.prefix != 0) line += ';';
    line += names[nodes[step.node].name];
    if (nodes[step.node].self != 0) {
      out.text() += line;
      fmt::format_to(std::back_inserter(out.text()), " {}\n", nodes[step.node].self);
      out.flush_if_large();
    }
    const size_t first = todo.size();
    for (uint32_t child = nodes[step.node].first_child; child != 0; child = nodes[child].next_sibling)
      todo.push_back({child, line.size()});
    std::reverse(todo.begin() + static_cast<ptrdiff_t>(first), todo.end());
  }
}

ExitCode run_collapsed(const CollapsedOptions& options, Output& out) {
  Recording recording(options.file);
  if (!recording.open()) return recording.finish();
  const Profile profile = read_profile(recording, options.profile);
  print_collapsed(profile.tree, out);
  return recording.finish();
}

}  // namespace jrec
