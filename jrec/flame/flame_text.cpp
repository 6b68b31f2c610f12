// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/flame_text.h"

#include <algorithm>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/base/plural.h"
#include "jrec/base/row_count.h"
#include "jrec/profile/sample_census.h"
#include "jrec/profile/weight_text.h"

namespace jrec {
namespace {

constexpr size_t kMostIndent = 100;  // deeper frames stand below each other

// What is still to be written: a frame, or how many siblings were too thin.
struct TreeLine {
  uint32_t node = 0;
  size_t depth = 0, folded = 0;
  uint64_t weight = 0;
};

// The children of a node onto the stack: the heaviest on top, and under all of them what is too thin.
void push_children(const StackTree& tree, const std::vector<uint64_t>& totals, uint32_t node, size_t depth,
                   uint64_t least, std::vector<TreeLine>& open) {
  const auto& nodes = tree.nodes();
  std::vector<TreeLine> children;
  TreeLine thin{0, depth, 0, 0};
  for (uint32_t at = nodes[node].first_child; at != 0; at = nodes[at].next_sibling) {
    if (totals[at] >= least)
      children.push_back({at, depth, 0, totals[at]});
    else
      ++thin.folded, thin.weight += totals[at];
  }
  std::ranges::stable_sort(children, {}, &TreeLine::weight);
  if (thin.folded != 0) open.push_back(thin);
  open.insert(open.end(), children.begin(), children.end());
}

}  // namespace

void append_tree_text(const StackTree& tree, double least_percent, size_t rows, std::string& out) {
  const uint64_t whole = tree.total();
  if (whole == 0) return;
  append_format(out, "{:>8} {:>8}  {}\n", "total %", "self %", "frame");
  const auto least = static_cast<uint64_t>(std::max(static_cast<double>(whole) * least_percent / 100, 1.0));
  const std::vector<uint64_t> totals = tree.totals();
  std::vector<TreeLine> open;
  push_children(tree, totals, 0, 0, least, open);
  for (; !open.empty() && rows != 0; --rows) {
    const TreeLine line = open.back();
    open.pop_back();
    const std::string indent(std::min(line.depth, kMostIndent), ' ');
    if (line.folded != 0) {
      append_format(out, "{:>8.1f} {:>8}  {}... {} more\n", percent(line.weight, whole), "", indent, line.folded);
      continue;
    }
    const StackTree::Node& node = tree.nodes()[line.node];
    append_format(out, "{:>8.1f} {:>8.1f}  {}{}\n", percent(totals[line.node], whole),
                  percent(tree.self(line.node), whole), indent, plain(tree.names()[node.name]));
    push_children(tree, totals, line.node, line.depth + 1, least, open);
  }
  if (!open.empty()) append_format(out, "... more lines: --rows shows them, or --least folds more\n");
}

ExitCode run_flame_text(const FlameOptions& options, Output& out) {
  Recording recording(options.files, times_of(options.profile.filter, options.profile.event));
  if (!recording.open()) return recording.finish();
  const Profile profile = read_profile(recording, options.profile);
  if (recording.refused()) return recording.finish();
  append_format(out.text(), "{}: {}{}\n\n", plain(profile.event_types), weight_text(profile.tree.total(), profile.unit),
                profile.unit == "samples" ? fmt::format(" sample{}", ending(profile.tree.total())) : "");
  append_tree_text(profile.tree, options.least_percent, most_rows(options.text_rows), out.text());
  if (profile.samples == 0) tell_no_samples(recording, options.profile, options.profile.event);
  return recording.finish();
}

}  // namespace jrec
