// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/print.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "format/reader/values.h"
#include "jrec/input/recording.h"
#include "jrec/print/csv_events.h"
#include "jrec/print/print_formats.h"
#include "jrec/select/event_names.h"
#include "jrec/select/known_events.h"
#include "jrec/select/unmatched_words.h"
#include "jrec/values/running_clock.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

struct Timed {
  int64_t end_ticks;
  Event event;
};

// When the event ended: its start, and its duration if it has one. Both stand first, if at all.
int64_t end_of(const Chunk& chunk, const Event& event, const Type& type) {
  if (type.fields.empty() || type.fields[0].name != "startTime") return 0;
  jfr::read::Cursor in = chunk.body(event);
  uint64_t end = in.leb();
  if (type.fields.size() > 1 && type.fields[1].name == "duration") end += in.leb();
  return static_cast<int64_t>(end);
}

std::vector<Timed> wanted_events(Chunk& chunk, ChunkFilter& filter) {
  std::vector<bool> wanted;
  for (const Type& type : chunk.metadata().types()) wanted.push_back(filter.type(type));
  std::vector<Timed> events;
  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    if (event.type_id <= jfr::kCheckpointType) continue;
    const uint32_t index = chunk.metadata().index_of(event.type_id);
    if (index == jfr::read::kNoType || !wanted[index]) continue;
    const Type& type = chunk.metadata().types()[index];
    if (filter.matches(event, type)) events.push_back({end_of(chunk, event, type), event});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Timed& a, const Timed& b) { return a.end_ticks < b.end_ticks; });
  return events;
}

class Printer {
 public:
  Printer(EventWriter& writer, const Filter& filter, Output& out) : writer_(writer), filter_(filter), out_(out) {}

  void print(Chunk& chunk) {
    const jfr::read::Clock& clock = clock_.of(chunk);
    const std::unique_ptr<ChunkPrinter> events = writer_.chunk(chunk, clock);
    ChunkFilter filter(filter_, chunk, clock);
    for (const Timed& timed : wanted_events(chunk, filter)) {
      if (!out_.ok()) return;
      print(chunk, timed.event, *events);
    }
  }

  bool nothing() const { return first_; }

 private:
  void print(Chunk& chunk, const Event& event, ChunkPrinter& events) {
    const Type& type = *chunk.type_of(event);
    std::string& text = out_.text();
    const size_t before = text.size();
    writer_.before_event(first_, text);
    if (events.append(event, type, text)) {
      first_ = false;
      return out_.flush_if_large();
    }
    text.resize(before);
    chunk.problems().add(base::Error{base::ErrorCode::kCorrupt, chunk.offset_in_file() + event.at,
                                     fmt::format("{} cannot be decoded, it is left out", type.name)});
  }

  EventWriter& writer_;
  const Filter& filter_;
  Output& out_;
  RunningClock clock_;
  bool first_ = true;
};

base::Result<std::unique_ptr<EventWriter>> writer_for(const PrintOptions& options, Recording& recording,
                                                      const Filter& filter) {
  const bool text = options.format == PrintFormat::kText;
  const uint32_t depth = options.stack_depth.value_or(text ? PrintOptions::kTextDepth : PrintOptions::kDepth);
  switch (options.format) {
    case PrintFormat::kJson: return json_writer(depth);
    case PrintFormat::kJsonLines: return json_lines_writer(depth);
    case PrintFormat::kXml: return xml_writer(depth);
    case PrintFormat::kCsv: return csv_writer(recording, filter, depth);
    case PrintFormat::kText: break;
  }
  return text_writer(depth);
}

// --event: the types behind the short name. It does not come together with --events.
FilterOptions filter_of(const PrintOptions& options) {
  FilterOptions filter = options.filter;
  if (options.kind.empty()) return filter;
  for (const std::string_view type : event_types_for(options.kind))
    filter.events += (filter.events.empty() ? "" : ",") + std::string(type);
  return filter;
}

// Short names are known whatever the recording has.
base::Status known_type(Recording& recording, const std::string& kind) {
  const auto is = [&](const EventName& known) { return known.name == kind; };
  if (std::ranges::any_of(event_names(), is)) return base::Done{};
  FilterOptions named;
  named.events = kind;
  return known_events(recording, named, "--event");
}

}  // namespace

ExitCode run_print(const PrintOptions& options, Output& out) {
  Recording recording(options.files, times_of(options.filter));
  if (!recording.open()) return recording.finish();
  base::Result<Filter> filter = Filter::compile(filter_of(options), recording.range());
  if (!filter) return recording.refuse(filter.error()), recording.finish();
  const base::Status known =
      options.kind.empty() ? known_events(recording, options.filter) : known_type(recording, options.kind);
  if (!known) return recording.refuse(known.error()), recording.finish();
  base::Result<std::unique_ptr<EventWriter>> writer = writer_for(options, recording, *filter);
  if (!writer) return recording.refuse(writer.error()), recording.finish();
  Printer printer(**writer, *filter, out);
  recording.each_chunk([&](Chunk& chunk) {
    if (recording.chunks() == 1) (*writer)->begin(out.text());
    printer.print(chunk);
  });
  tell_unknown_fields(recording, *filter);
  tell_unmatched_words(recording, options.filter);
  if (recording.refused() && printer.nothing()) return out.text().clear(), recording.finish();
  if (recording.chunks() != 0) (*writer)->end(out.text());
  return recording.finish();
}

void declare_print(CommandList& commands) {
  const auto options = std::make_shared<PrintOptions>();
  Command print = commands.add("print", "Every event of a recording, as text, JSON, XML or a table",
                               [options](Output& out) { return run_print(*options, out); });
  print.add_option("FILE", options->files, "recordings (.jfr), treated as one; - for standard input").required();
  const auto format = [&](const char* name, const char* what, PrintFormat value) {
    return print.on_flag(
        name, [options, value] { options->format = value; }, what);
  };
  Option formats[] = {
      format("--json", "one JSON document, as jfr print --json has it, an event a line", PrintFormat::kJson),
      format("--json-lines", "one JSON object a line", PrintFormat::kJsonLines),
      format("--xml", "as jfr print --xml has it", PrintFormat::kXml),
      format("--csv", "a table with a header; for one type of events", PrintFormat::kCsv),
  };
  for (size_t i = 0; i < std::size(formats); ++i)
    for (size_t j = 0; j < i; ++j) formats[i].excludes(formats[j]);
  print.add_option("--event,-e", options->kind,
                   fmt::format("one kind of event: {}, or the name of a type", event_name_list()));
  print.add_option("--stack-depth", options->stack_depth, "frames to print of each stack; 64 for text, else 2048");
  add_event_options(print, options->filter);
  print.option("--event").excludes(print.option("--events"));
  add_filter_options(print, options->filter);
}

}  // namespace jrec
