// SPDX-License-Identifier: Apache-2.0
// What diff.h says, as text, JSON and Markdown.
#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/redact.h"
#include "jrec/base/append_format.h"
#include "jrec/base/colour.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/base/plural.h"
#include "jrec/base/row_count.h"
#include "jrec/base/terminal.h"
#include "jrec/profile/compared_clocks.h"
#include "jrec/profile/diff.h"
#include "jrec/profile/weight_text.h"

namespace jrec {
namespace {

// In front of the name: with self and total, and with what is sorted by alone.
constexpr size_t kColumnsOfBoth = 80, kColumnsOfOne = 53;
constexpr double kWorthTelling = 0.8;
constexpr size_t kRoomForBoth = kColumnsOfBoth + 20;  // columns of the terminal

// Of one that is sorted by that difference.
const char* sure_word(Sureness sureness, const Difference& difference) {
  switch (sureness) {
    case Sureness::kSure: return "yes";
    case Sureness::kPerhapsChance: return difference.probability <= kSureFrom && difference.is_one() ? "maybe" : "no";
    case Sureness::kTooFew: return "few";
  }
  return "";
}

size_t count_of(const std::vector<MethodChange>& changes, Sureness sureness) {
  return static_cast<size_t>(std::ranges::count(changes, sureness, &MethodChange::sureness));
}

std::span<const MethodChange> shown(const std::vector<MethodChange>& all, const DiffOptions& options) {
  return std::span(all).first(std::min(all.size(), most_rows(options.rows)));
}

// "A: a.jfr, jdk.ExecutionSample: 880 samples"; of several runs how many.
std::string heading_of(const char* side, const DiffSide& runs) {
  if (runs.runs.empty()) return "";
  const Profile& first = runs.runs.front();
  std::string out = std::string(side) + ": " + plain(base::redact_userinfo(runs.files.front()));
  if (runs.runs.size() > 1) append_format(out, " and {} more", runs.runs.size() - 1);
  append_format(out, ", {}: {}{}", plain(first.event_types), weight_text(runs.tree.total(), runs.unit),
                runs.unit == "samples" ? fmt::format(" sample{}", ending(runs.tree.total())) : "");
  // Else it is the number that everybody expects.
  if (runs.draws() < kWorthTelling * static_cast<double>(runs.samples()))
    append_format(out, ", worth {:.0f} of one weight", runs.draws());
  return out;
}

// What all of it is worth.
std::string worth(const DiffSide& before, const DiffSide& after, const std::vector<MethodChange>& all) {
  if (by_samples(before, after))
    if (std::min(before.draws(), after.draws()) < kFewestSamples)
      return fmt::format(
          "Too few samples to tell a change from chance: {:.0f} and {:.0f}, and {} are needed on each side.",
          before.draws(), after.draws(), kFewestSamples);
  std::string out = fmt::format("{} of {} methods changed by more than chance; {} are in too few samples to tell.",
                                count_of(all, Sureness::kSure), all.size(), count_of(all, Sureness::kTooFew));
  if (by_samples(before, after))
    append_format(out,
                  "\nOne run {}: runs of one program differ by more than their samples tell. Several of each, with "
                  "--after, show by how much.",
                  before.runs.size() > 1  ? "of B"
                  : after.runs.size() > 1 ? "of A"
                                          : "a side");
  return out;
}

const Difference& sorted_by(const MethodChange& change, const DiffOptions& options) {
  return options.sort == "total" ? change.total : change.self;
}

std::string three_heads(const char* what) {
  return fmt::format("{:>8} {:>8} {:>8} ", fmt::format("{} A%", what), fmt::format("{} B%", what), "change");
}

std::string three_shares(const MethodChange& change, bool total) {
  return total ? fmt::format("{:>8.2f} {:>8.2f} {:>+8.2f} ", change.before.total_share, change.after.total_share,
                             change.total_points())
               : fmt::format("{:>8.2f} {:>8.2f} {:>+8.2f} ", change.before.self_share, change.after.self_share,
                             change.self_points());
}

void append_side(const char* key, const MethodChange::Side& side, std::string& out) {
  append_format(out, ",\"{}\":{{\"self\":{},\"total\":{},\"selfPercent\":{:.4f},\"totalPercent\":{:.4f}}}", key,
                side.self, side.total, side.self_share, side.total_share);
}

void append_difference(const char* key, const Difference& difference, std::string& out) {
  append_format(out, ",\"{}\":{{\"low\":{:.4f},\"high\":{:.4f},\"probability\":{:.6g},\"known\":{}}}", key,
                difference.low * 100, difference.high * 100, difference.probability, difference.known);
}

void append_recordings(const char* key, const DiffSide& side, std::string& out) {
  append_format(out, "\"{}\":{{\"file\":", key);
  append_json_string(base::redact_userinfo(side.files.front()), out);
  out += ",\"files\":[";
  const char* separator = "";
  for (const std::string& file : side.files)
    append_json_string(base::redact_userinfo(file), out += std::exchange(separator, ","));
  out += "],\"event\":";
  append_json_string(side.runs.front().event_type, out);
  out += ",\"unit\":";
  append_json_string(side.unit, out);
  append_format(out, ",\"total\":{},\"samples\":{},\"worth\":{:.0f}}},\n", side.tree.total(), side.samples(),
                side.draws());
}

std::string in_markdown(const std::string& name) {
  std::string out = "`";
  for (const char c : plain(name)) out += c == '`' || c == '|' ? '?' : c;
  return out + "`";
}

}  // namespace

void append_diff_text(const DiffSide& before, const DiffSide& after, const std::vector<MethodChange>& all,
                      const DiffOptions& options, std::string& out) {
  const size_t width = options.width != 0 ? options.width : terminal_columns();
  out += wrapped(heading_of("A", before) + '\n' + heading_of("B", after) + '\n' + worth(before, after, all) + "\n\n",
                 width);
  if (all.empty()) return;
  const bool total = options.sort == "total", both = width >= kRoomForBoth;
  const size_t room = room_for_name(width, both ? kColumnsOfBoth : kColumnsOfOne);
  std::string heads;
  for (const bool is_total : {false, true})
    if (both || is_total == total) heads += three_heads(is_total ? "total" : "self");
  out += coloured(Colour::kBold, fmt::format("{}{:>18} {:>5}  {}\n", heads, "95% " + options.sort, "sure", "method"));
  for (const MethodChange& change : shown(all, options)) {
    const Difference& difference = sorted_by(change, options);
    std::string row;
    for (const bool is_total : {false, true})
      if (both || is_total == total) row += three_shares(change, is_total);
    append_format(row, "{:>18} {:>5}  {}\n",
                  fmt::format("{:+.2f} to {:+.2f}", difference.low * 100, difference.high * 100),
                  sure_word(change.sureness, difference), last_part(plain(change.name), room));
    const bool grew = change.sureness == Sureness::kSure && difference.value > 0;
    out += grew ? coloured(Colour::kRed, row) : row;
  }
}

void append_diff_json(const DiffSide& before, const DiffSide& after, const std::vector<MethodChange>& all,
                      const DiffOptions& options, std::string& out) {
  out += '{';
  append_recordings("before", before, out);
  append_recordings("after", after, out);
  if (const std::string note = words_of_clocks(before.clocks, after.clocks); !note.empty()) {
    append_json_string(note, out += "\"note\":");
    out += ",\n";
  }
  append_format(out, "\"by\":\"{}\",\"sure\":{},\"tooFew\":{},\"methods\":[",
                by_samples(before, after) ? "samples" : "runs", count_of(all, Sureness::kSure),
                count_of(all, Sureness::kTooFew));
  const char* separator = "\n";
  for (const MethodChange& change : shown(all, options)) {
    out += std::exchange(separator, ",\n");
    out += "{\"name\":";
    append_json_string(change.name, out);
    append_format(out, ",\"selfPoints\":{:.4f},\"totalPoints\":{:.4f},\"sure\":\"{}\"", change.self_points(),
                  change.total_points(), sure_word(change.sureness, sorted_by(change, options)));
    append_difference("selfInterval", change.self, out);
    append_difference("totalInterval", change.total, out);
    append_side("before", change.before, out);
    append_side("after", change.after, out);
    out += '}';
  }
  out += "\n]}\n";
}

void append_diff_markdown(const DiffSide& before, const DiffSide& after, const std::vector<MethodChange>& all,
                          const DiffOptions& options, std::string& out) {
  append_format(out, "{}\n\n", worth(before, after, all));
  if (const std::string note = words_of_clocks(before.clocks, after.clocks); !note.empty())
    append_format(out, "**{}.**\n\n", plain(note));
  append_format(out, "| method | {0} before | {0} after | points | 95 % | sure |\n|---|---:|---:|---:|---:|---|\n",
                options.sort);
  const bool total = options.sort == "total";
  for (const MethodChange& change : shown(all, options)) {
    const Difference& difference = sorted_by(change, options);
    append_format(out, "| {} | {:.2f} % | {:.2f} % | {:+.2f} | {:+.2f} to {:+.2f} | {} |\n", in_markdown(change.name),
                  total ? change.before.total_share : change.before.self_share,
                  total ? change.after.total_share : change.after.self_share,
                  total ? change.total_points() : change.self_points(), difference.low * 100, difference.high * 100,
                  sure_word(change.sureness, difference));
  }
}

}  // namespace jrec
