// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/diff.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/profile/hot.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_census.h"
#include "jrec/profile/weight_text.h"

namespace jrec {
namespace {

constexpr size_t kColumnsOfDiff = 54;  // in front of the name

void append_table(const std::vector<MethodChange>& changes, const DiffOptions& options, std::string& out) {
  const size_t room = room_for_name(options.width, kColumnsOfDiff);
  append_format(out, "{:>8} {:>8} {:>8} {:>8} {:>8} {:>8}  {}\n", "self A%", "self B%", "change", "total A%",
                "total B%", "change", "method");
  for (const MethodChange& change : changes)
    append_format(out, "{:>8.2f} {:>8.2f} {:>+8.2f} {:>8.2f} {:>8.2f} {:>+8.2f}  {}\n", change.before.self_share,
                  change.after.self_share, change.self_points(), change.before.total_share, change.after.total_share,
                  change.total_points(), last_part(plain(change.name), room));
}

void append_side(const char* key, const MethodChange::Side& side, std::string& out) {
  append_format(out, ",\"{}\":{{\"self\":{},\"total\":{},\"selfPercent\":{:.4f},\"totalPercent\":{:.4f}}}", key,
                side.self, side.total, side.self_share, side.total_share);
}

void append_recording(const char* key, const std::string& file, const Profile& profile, std::string& out) {
  append_format(out, "\"{}\":{{\"file\":", key);
  append_json_string(file, out);
  out += ",\"event\":";
  append_json_string(profile.event_type, out);
  out += ",\"unit\":";
  append_json_string(profile.unit, out);
  append_format(out, ",\"total\":{},\"samples\":{}}},\n", profile.tree.total(), profile.samples);
}

void append_methods(const std::vector<MethodChange>& changes, std::string& out) {
  out += "\"methods\":[";
  const char* separator = "\n";
  for (const MethodChange& change : changes) {
    out += std::exchange(separator, ",\n");
    out += "{\"name\":";
    append_json_string(change.name, out);
    append_format(out, ",\"selfPoints\":{:.4f},\"totalPoints\":{:.4f}", change.self_points(), change.total_points());
    append_side("before", change.before, out);
    append_side("after", change.after, out);
    out += '}';
  }
  out += "\n]}\n";
}

void append_heading(const char* side, const std::string& file, const Profile& profile, std::string& out) {
  append_format(out, "{}: {}, {}: {}{}\n", side, plain(file), plain(profile.event_type),
                weight_text(profile.tree.total(), profile.unit), profile.unit == "samples" ? " samples" : "");
}

}  // namespace

std::vector<MethodChange> method_changes(const StackTree& before, const StackTree& after, bool by_total) {
  std::vector<MethodChange> changes;
  std::unordered_map<std::string_view, size_t> places;
  const auto take = [&](const StackTree& tree, MethodChange::Side MethodChange::*side) {
    for (const HotMethod& method : hot_methods(tree)) {
      const std::string& name = tree.names()[method.name];
      const auto [place, is_new] = places.try_emplace(name, changes.size());
      if (is_new) changes.push_back({name, {}, {}});
      changes[place->second].*
          side = {method.self, method.total, percent(method.self, tree.total()), percent(method.total, tree.total())};
    }
  };
  take(before, &MethodChange::before);
  take(after, &MethodChange::after);
  const auto size = [by_total](const MethodChange& change) {
    const double first = std::abs(by_total ? change.total_points() : change.self_points());
    return std::pair(first, std::abs(by_total ? change.self_points() : change.total_points()));
  };
  std::stable_sort(changes.begin(), changes.end(), [&](const MethodChange& a, const MethodChange& b) {
    return size(a) != size(b) ? size(a) > size(b) : a.name < b.name;
  });
  return changes;
}

ExitCode run_diff(const DiffOptions& options, Output& out) {
  const TimeChoice times = times_of(options.profile.filter, options.profile.event);
  Recording first(options.before, times), second(options.after, times);
  if (!first.open()) return first.finish();
  if (!second.open()) return second.finish();
  const Profile before = read_profile(first, options.profile), after = read_profile(second, options.profile);
  const auto finish = [&] {
    const ExitCode codes[] = {first.finish(), second.finish()};
    return std::max(codes[0], codes[1]);
  };
  if (first.refused() || second.refused()) return finish();
  std::vector<MethodChange> changes = method_changes(before.tree, after.tree, options.sort == "total");
  if (changes.size() > options.rows) changes.resize(options.rows);
  std::string& text = out.text();
  if (options.json) {
    text += '{';
    append_recording("before", options.before, before, text);
    append_recording("after", options.after, after, text);
    append_methods(changes, text);
  } else {
    append_heading("A", options.before, before, text);
    append_heading("B", options.after, after, text);
    text += '\n';
    if (!changes.empty()) append_table(changes, options, text);
  }
  if (before.samples == 0) tell_no_samples(first, options.profile, options.profile.event);
  if (after.samples == 0) tell_no_samples(second, options.profile, options.profile.event);
  return finish();
}

}  // namespace jrec
