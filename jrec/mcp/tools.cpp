// SPDX-License-Identifier: Apache-2.0
// The tools. Each hands its arguments to the function of a command, as the command line does.
#include <algorithm>
#include <chrono>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/findings/findings_command.h"
#include "jrec/flame/flame_text.h"
#include "jrec/mcp/tool.h"
#include "jrec/print/summary.h"
#include "jrec/profile/diff.h"
#include "jrec/profile/hot.h"
#include "jrec/safepoints/safepoints_command.h"
#include "jrec/select/event_names.h"
#include "jrec/sql/sql_command.h"
#include "jrec/view/view_command.h"

namespace jrec {
namespace {

constexpr size_t kWidth = 200;  // of tables: nobody's terminal
constexpr size_t kMostRows = 1000;
constexpr std::chrono::seconds kLongestQuery{60};

using enum ToolArgument::Kind;

// Arguments that several tools have.
const ToolArgument kRecording = {kFile, "file", "the recording, as the tool recordings lists it", true};
const ToolArgument kEvent = {
    kText, "event", "what is sampled: cpu (default), wall, alloc, live, lock, exceptions, nativemem, or an event type"};
const ToolArgument kRows = {kCount, "rows", "rows to show"};

std::vector<ToolArgument> with_filter(std::vector<ToolArgument> arguments) {
  const ToolArgument filter[] = {
      {kText, "thread", "only these threads: names with * and ?, or ids, separated by commas"},
      {kText, "from", "only events from then on: 90s (behind the start), -10s (before the end), 11:22:33, ISO 8601"},
      {kText, "to", "only events before then"},
      {kText, "include", "only stacks with a frame that matches this regular expression"},
      {kText, "exclude", "no stacks with a frame that matches this regular expression"},
      {kText, "where", "an expression over the event's fields: duration > 10ms and eventThread = \"http-*\""},
  };
  arguments.insert(arguments.end(), std::begin(filter), std::end(filter));
  return arguments;
}

FilterOptions filter_of(const ToolArguments& arguments) {
  FilterOptions filter;
  filter.threads = arguments.text("thread");
  filter.from = arguments.text("from");
  filter.to = arguments.text("to");
  filter.include = arguments.text("include");
  filter.exclude = arguments.text("exclude");
  filter.where = arguments.text("where");
  return filter;
}

ProfileOptions profile_of(const ToolArguments& arguments) {
  ProfileOptions profile;
  if (const std::string event = arguments.text("event"); !event.empty()) profile.event = event;
  profile.filter = filter_of(arguments);
  return profile;
}

ExitCode list_recordings(const ToolArguments&, const AllowedPaths& allowed, Output& out) {
  constexpr size_t kMostFiles = 500;
  const std::vector<AllowedPaths::File> files = allowed.recordings(kMostFiles);
  for (const AllowedPaths::File& file : files)
    append_format(out.text(), "{:>14} bytes  {}\n", file.size, plain(file.path));
  if (files.empty()) out.add("There are none: *.jfr and *.recz in what may be read.\n");
  if (files.size() == kMostFiles) out.add("... perhaps more\n");
  return kDone;
}

ExitCode tell_summary(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  return run_summary({{arguments.text("file")}, false}, out);
}

ExitCode tell_findings(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  FindingsOptions options;
  options.files = {arguments.text("file")};
  options.rules = arguments.texts("thresholds");
  options.filter.from = arguments.text("from");
  options.filter.to = arguments.text("to");
  options.width = kWidth;
  return run_findings(options, out);
}

ExitCode tell_hot(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  return run_hot({{arguments.text("file")}, profile_of(arguments), arguments.count("rows", 20, kMostRows), kWidth},
                 out);
}

ExitCode tell_flame(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  FlameOptions options;
  options.files = {arguments.text("file")};
  options.profile = profile_of(arguments);
  options.least_percent = arguments.number("least_percent", 1);
  options.text_rows = arguments.count("rows", 300, 10 * kMostRows);
  return run_flame_text(options, out);
}

ExitCode tell_diff(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  DiffOptions options;
  options.before = {arguments.text("before")};
  options.after = {arguments.text("after")};
  options.profile = profile_of(arguments);
  options.rows = arguments.count("rows", 20, kMostRows);
  options.width = kWidth;
  return run_diff(options, out);
}

ExitCode tell_view(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  ViewOptions options;
  options.words = arguments.texts("views");
  options.files = {arguments.text("file")};
  options.filter = filter_of(arguments);
  options.width = kWidth;
  if (arguments.number("rows", 0) > 0) options.rows = arguments.count("rows", 1, kMostRows);
  return run_view(options, out);
}

ExitCode tell_sql(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  SqlOptions options;
  options.words = arguments.texts("files");
  options.words.push_back(arguments.text("query"));
  options.limit = kLongestQuery;
  return run_sql(options, out);
}

ExitCode tell_safepoints(const ToolArguments& arguments, const AllowedPaths&, Output& out) {
  return run_safepoints({{arguments.text("file")}, arguments.count("rows", 20, kMostRows), false}, out);
}

std::vector<Tool> make_tools() {
  return {
      {"recordings",
       "List recordings",
       "The recordings and archives that may be read, with their sizes.",
       {},
       list_recordings},
      {"findings",
       "Findings in words",
       "What rules find in a recording: hot spots, leaks, locks, pauses, safepoints, settings, losses, each with "
       "evidence, the "
       "threshold and a command that shows more; and which rules could not be judged, and why. Begin with this.",
       {kRecording,
        {kTexts, "thresholds", "other thresholds, RULE=NUMBER"},
        {kText, "from", "only events from then on: 90s, -10s, 11:22:33"},
        {kText, "to", "only events before then"}},
       tell_findings},
      {"summary",
       "Summary",
       "Time, length, and how many events of which type a recording has, and what it has lost.",
       {kRecording},
       tell_summary},
      {"hot", "Hottest methods", "The methods on top of the most samples: self, and total with what they call.",
       with_filter({kRecording, kEvent, kRows}), tell_hot},
      {"flame", "Flame graph as text",
       "The tree of sampled stacks, each frame with its share of all samples and its own. include narrows it to the "
       "stacks through a method.",
       with_filter(
           {kRecording, kEvent, {kPercent, "least_percent", "frames with less are folded; 1 by default"}, kRows}),
       tell_flame},
      {"diff", "Compare two recordings",
       "Which methods have a larger or smaller share of the samples than before, with the interval of the change, and "
       "which of that may be chance.",
       with_filter({{kFile, "before", "the recording from before", true},
                    {kFile, "after", "the recording from after", true},
                    kEvent,
                    kRows}),
       tell_diff},
      {"view", "Tables",
       "Tables of a recording: gc, gc-pauses, contention-by-class, exception-by-type, thread-cpu-load, ..., or the "
       "events of any type. "
       "Without views: which there are.",
       with_filter({kRecording, {kTexts, "views", "names of views or event types"}, kRows}), tell_view},
      {"safepoints",
       "Late safepoints",
       "Which safepoints were late, and by which threads: of recordings of rec with safepoint=TIME.",
       {kRecording, kRows},
       tell_safepoints},
      {"sql",
       "SQL",
       "A query in SQLite's language over recordings and archives. Tables: recordings, samples, stacks, frames, "
       "threads, and events_TYPE for "
       "each event type (events_jdk_GCHeapSummary). The query .tables lists them, .schema TABLE tells columns. Use "
       "limit.",
       {{kFiles, "files", "recordings or archives", true},
        {kText, "query", "one select, or .tables, or .schema TABLE", true}},
       tell_sql},
  };
}

}  // namespace

const std::vector<Tool>& all_tools() {
  static const std::vector<Tool> kTools = make_tools();
  return kTools;
}

}  // namespace jrec
