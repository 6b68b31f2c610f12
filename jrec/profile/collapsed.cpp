// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/collapsed.h"

#include <algorithm>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_census.h"

namespace jrec {

namespace {

std::string collapsed_name(const std::string& name) {
  std::string text = plain(name);
  std::replace(text.begin(), text.end(), ';', ',');
  return text;
}

}  // namespace

void print_collapsed(const StackTree& tree, Output& out) {
  append_collapsed(tree, out.text(), [&out] { out.flush_if_large(); });
}

void append_stack(const StackTree& tree, uint32_t node, std::string& out) {
  std::vector<uint32_t> path;
  for (uint32_t at = node; at != 0; at = tree.nodes()[at].parent) path.push_back(at);
  for (size_t i = path.size(); i-- > 0;) {
    out += collapsed_name(tree.names()[tree.nodes()[path[i]].name]);
    if (i != 0) out += ';';
  }
}

void append_collapsed(const StackTree& tree, std::string& text, const std::function<void()>& written) {
  std::vector<std::string> names;
  for (const std::string& name : tree.names()) names.push_back(collapsed_name(name));
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
    if (tree.self(step.node) != 0) {
      text += line;
      append_format(text, " {}\n", tree.self(step.node));
      written();
    }
    const size_t first = todo.size();
    for (uint32_t child = nodes[step.node].first_child; child != 0; child = nodes[child].next_sibling)
      todo.push_back({child, line.size()});
    std::reverse(todo.begin() + static_cast<ptrdiff_t>(first), todo.end());
  }
}

ExitCode run_collapsed(const CollapsedOptions& options, Output& out) {
  Recording recording(options.files, times_of(options.profile.filter, options.profile.event));
  if (!recording.open()) return recording.finish();
  const Profile profile = read_profile(recording, options.profile);
  print_collapsed(profile.tree, out);
  if (profile.samples == 0) tell_no_samples(recording, options.profile, options.profile.event);
  return recording.finish();
}

}  // namespace jrec
