// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/hot.h"

#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/base/colour.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/base/plural.h"
#include "jrec/base/row_count.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_census.h"
#include "jrec/profile/weight_text.h"

namespace jrec {
namespace {

constexpr size_t kColumnsOfHot = 37;  // in front of the name

}  // namespace

std::vector<HotMethod> hot_methods(const StackTree& tree) {
  const auto& nodes = tree.nodes();
  const std::vector<uint64_t> totals = tree.totals();
  std::vector<HotMethod> methods(tree.names().size());
  for (size_t i = 0; i < methods.size(); ++i) methods[i].name = static_cast<uint32_t>(i);
  // Depth first, with a count of each name on the way down: only the outermost of a recursion adds to the total.
  std::vector<uint32_t> open(methods.size());
  for (uint32_t at = nodes[0].first_child; at != 0;) {
    HotMethod& method = methods[nodes[at].name];
    method.self += tree.self(at);
    if (open[nodes[at].name]++ == 0) method.total += totals[at];
    if (nodes[at].first_child != 0) {
      at = nodes[at].first_child;
      continue;
    }
    for (;; at = nodes[at].parent) {
      if (at == 0) break;
      --open[nodes[at].name];
      if (nodes[at].next_sibling == 0) continue;
      at = nodes[at].next_sibling;
      break;
    }
  }
  std::erase_if(methods, [](const HotMethod& method) { return method.total == 0; });
  std::stable_sort(methods.begin(), methods.end(), [](const HotMethod& a, const HotMethod& b) {
    return a.self != b.self ? a.self > b.self : a.total > b.total;
  });
  return methods;
}

ExitCode run_hot(const HotOptions& options, Output& out) {
  Recording recording(options.files, times_of(options.profile.filter, options.profile.event));
  if (!recording.open()) return recording.finish();
  const Profile profile = read_profile(recording, options.profile);
  if (recording.refused()) return recording.finish();
  const uint64_t whole = profile.tree.total();
  const auto amount = [&](uint64_t weight) { return weight_text(weight, profile.unit); };
  append_format(out.text(), "{}: {}{}", plain(profile.event_types), amount(whole),
                profile.unit == "samples" ? fmt::format(" sample{}", ending(whole)) : "");
  if (profile.unit != "samples" || whole != profile.samples) out.text() += " in " + plural(profile.samples, "event");
  if (profile.truncated != 0) append_format(out.text(), ", {} with truncated stacks", profile.truncated);
  out.text() += "\n\n";
  const size_t room = room_for_name(options.width, kColumnsOfHot);
  std::vector<HotMethod> methods = hot_methods(profile.tree);
  if (methods.size() > most_rows(options.rows)) methods.resize(options.rows);
  if (!methods.empty())
    out.text() +=
        coloured(Colour::kBold, fmt::format("{:>10} {:>6} {:>10} {:>6}  {}\n", "self", "%", "total", "%", "method"));
  for (const HotMethod& method : methods)
    append_format(out.text(), "{:>10} {:>6.2f} {:>10} {:>6.2f}  {}\n", amount(method.self), percent(method.self, whole),
                  amount(method.total), percent(method.total, whole),
                  last_part(plain(profile.tree.names()[method.name]), room));
  if (profile.samples == 0) tell_no_samples(recording, options.profile, options.profile.event);
  return recording.finish();
}

}  // namespace jrec
