// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/fail_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/select/glob.h"

namespace jrec {
namespace {

// Takes what it expects from the front of the words.
class ConditionWords {
 public:
  explicit ConditionWords(std::string_view rest) : rest_(rest) {}

  bool take(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool take_quoted(std::string& text) {
    if (!take("\"")) return false;
    const size_t end = rest_.find('"');
    if (end == std::string_view::npos || end == 0) return false;
    text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }
  bool take_number(double& number) {
    skip_blanks();
    if (rest_.starts_with('+')) rest_.remove_prefix(1);
    const auto [end, wrong] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (wrong != std::errc() || !std::isfinite(number)) return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return true;
  }
  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }

 private:
  void skip_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

// Of one.
double share_of(const StackTree& tree, const std::vector<bool>& nodes) {
  uint64_t sum = 0;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]) sum += tree.self(i);
  return percent(sum, tree.total()) / 100;
}

}  // namespace

base::Result<FailIf> FailIf::parse(std::string_view words) {
  FailIf condition;
  condition.words_ = words;
  ConditionWords in(words);
  condition.total_ = in.take("total");
  bool good =
      (condition.total_ || in.take("self")) && in.take("(") && in.take_quoted(condition.pattern_) && in.take(")");
  condition.grows_ = good && in.take(">");
  good = good && (condition.grows_ || in.take("<")) && in.take_number(condition.points_);
  in.take("%");
  if (good && in.at_end() && (condition.grows_ ? condition.points_ >= 0 : condition.points_ <= 0)) return condition;
  return base::Error{base::ErrorCode::kUsage, 0,
                     "--fail-if: '" + std::string(words) +
                         "' is not like 'total(\"com.acme.*\") > +2 %' or 'self(\"*.parse\") < -1 %'"};
}

// Nodes come behind their parents: what matches covers all that is below it.
std::vector<bool> FailIf::nodes_of(const StackTree& tree) const {
  std::vector<bool> matches;
  for (const std::string& name : tree.names()) matches.push_back(glob_matches(pattern_, name));
  const auto& nodes = tree.nodes();
  std::vector<bool> meant(nodes.size());
  for (size_t i = 1; i < nodes.size(); ++i) meant[i] = matches[nodes[i].name] || (total_ && meant[nodes[i].parent]);
  return meant;
}

// Nodes of names: a tree may know names that no sample has.
bool FailIf::names_any(const DiffSide& side) const {
  return std::ranges::any_of(side.tree.names(), [&](const std::string& name) { return glob_matches(pattern_, name); });
}

std::string FailIf::unknown_name() const {
  return "--fail-if: no sample of either side has a method like '" + pattern_ + "': '" + words_ + "' would always pass";
}

SideShares FailIf::shares_on(const DiffSide& side, std::vector<double>& of_runs) const {
  double spread = 0;
  for (size_t run = 0; run < side.runs.size(); ++run) {
    const StackTree& tree = side.runs[run].tree;
    const std::vector<bool> meant = nodes_of(tree);
    of_runs.push_back(share_of(tree, meant));
    if (side.of_wall()) spread += side.walls[run].spread_of(meant);
  }
  const double share = share_of(side.tree, nodes_of(side.tree));
  return {of_runs, share, side.draws_of(share, spread)};
}

Difference FailIf::measure(const DiffSide& before, const DiffSide& after, const LearnedVariances& learned) const {
  std::vector<double> first, second;
  const SideShares shares_before = shares_on(before, first), shares_after = shares_on(after, second);
  return difference_of(before, shares_before, after, shares_after, total_ ? &learned.total : &learned.self);
}

bool FailIf::holds(const DiffSide& before, const DiffSide& after, const LearnedVariances& learned,
                   std::string* explained) const {
  const Difference difference = measure(before, after, learned);
  const double points = difference.value * 100;
  const bool beyond = grows_ ? points > points_ : points < points_;
  const bool fails = beyond && difference.known && difference.is_one() && difference.probability <= kSureFrom;
  if (explained == nullptr) return fails;
  append_format(*explained, "\n{}: {}: it is {:+.2f} points ({:+.2f} to {:+.2f}){}\n", fails ? "failed" : "passed",
                plain(words_), points, difference.low * 100, difference.high * 100,
                !difference.known  ? ", by too few samples to tell"
                : beyond && !fails ? ", which may be chance"
                                   : "");
  return fails;
}

}  // namespace jrec
