// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "jrec/findings/find.h"
#include "jrec/flame/page.h"
#include "jrec/flame/page_json.h"
#include "jrec/report/clocks.h"
#include "jrec/report/facts.h"
#include "jrec/report/findings.h"
#include "jrec/report/jvms.h"
#include "jrec/report/lanes.h"
#include "jrec/report/late.h"
#include "jrec/report/report_page.h"
#include "jrec/report/tables.h"
#include "jrec/safepoints/event_fields.h"
#include "jrec/select/unmatched_words.h"
#include "jrec/values/jvm_numbers.h"
#include "jrec/values/time_text.h"
#include "jrec/view/event_pass.h"
#include "jrec/view/looks_note.h"
#include "jrec/view/thrown_note.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

// All that one walk over the events fills.
class Gathering {
 public:
  explicit Gathering(const ReportAxis& axis) : lanes(axis), views(asked_report_views()) {}

  void run(Recording& recording, const Filter& filter) {
    EventPass pass{recording, filter};
    pass.run([&](CellReader& cells, Chunk& chunk) { begin(cells, chunk, recording); }, [](uint32_t) { return true; },
             [&](CellReader& cells, const Event& event, uint32_t type) { add(cells, event, type); });
    if (!filter.range().everything()) look_before(recording, filter);
  }

  bool is_empty() const {
    return std::ranges::all_of(recorded, [](const auto& type) { return type.second == 0; });
  }

  ReportLanes lanes;
  ReportFacts facts;
  ReportJvms jvms;
  AskedViews views;
  ThrownNote thrown;
  LooksNote looks;
  Stalls stalls;
  EventCounts recorded;

 private:
  void begin(CellReader& cells, Chunk& chunk, const Recording& recording) {
    const std::optional<WriterProcess> writer = writer_of(chunk);
    jvms.meet(writer.value_or(WriterProcess()), recording.path_at(chunk.offset_in_file()));
    const uint32_t jvm = jvms_.of(writer);
    begin_lanes(cells, chunk, jvm);
    if (begins_with(writer, chunk)) lanes.begin_counts(chunk.header().start_ns);
    facts.begin(cells, chunk);
    views.begin(cells, chunk, jvm);
    thrown.begin(cells, chunk, recording.range());
    looks.begin(cells, chunk);
    stalls.begin(jvm);
  }

  void begin_lanes(CellReader& cells, Chunk& chunk, uint32_t jvm) {
    lanes.begin(cells, chunk, jvm);
    counts_.clear();
    for (const Type& type : chunk.metadata().types())
      counts_.push_back(type.event ? &recorded[std::string(type.name)] : nullptr);
  }

  void add(CellReader& cells, const Event& event, uint32_t index) {
    Chunk& chunk = cells.fields().chunk();
    if (counts_[index] != nullptr) ++*counts_[index];
    if (lanes.wants(index)) lanes.add(cells, event, index);
    if (facts.wants(index)) facts.add(cells, event, index);
    if (views.wants(index)) views.add(cells, event, index);
    if (thrown.wants(index)) thrown.add(cells, event, index);
    if (looks.wants(index)) looks.add(cells, event, index);
    const Type& type = chunk.metadata().types()[index];
    if (!type.name.starts_with("rec.")) return;
    EventFields fields(chunk, event, type);
    stalls.take(type.name, fields);
  }

  // What has begun before the chosen time and goes on in it has a part there.
  void look_before(Recording& recording, const Filter& filter) {
    const Filter at_any_time = filter.at_any_time();
    EventPass pass{recording, at_any_time};
    pass.run([&](CellReader& cells,
                 Chunk& chunk) { begin_lanes(cells, chunk, jvms_.of(chunk)), bind_lengths(cells, chunk); },
             [&](uint32_t type) { return lasting_[type].length.field >= 0; },
             [&](CellReader& cells, const Event& event, uint32_t type) {
               add_rest(cells, event, type, filter.range().from_ns);
             });
  }

  void bind_lengths(CellReader& cells, const Chunk& chunk) {
    lasting_.clear();
    for (const Type& type : chunk.metadata().types()) {
      Lasting& lasting = lasting_.emplace_back(Lasting{cells.bind("startTime", type), cells.bind("duration", type)});
      if (lasting.length.field < 0) lasting.length = cells.bind("timeSpan", type);
    }
  }

  void add_rest(CellReader& cells, const Event& event, uint32_t index, int64_t from_ns) {
    const Type& type = cells.fields().chunk().metadata().types()[index];
    Lasting& lasting = lasting_[index];
    const int64_t at_ns = held_in_long(cells.read(event, type, lasting.start).integer);
    if (at_ns >= from_ns) return;
    const int64_t left_ns = held_in_long(cells.read(event, type, lasting.length).integer) - (from_ns - at_ns);
    if (left_ns <= 0) return;
    if (counts_[index] != nullptr) ++*counts_[index];
    lanes.add_rest(index, from_ns, left_ns);
  }

  struct Lasting {
    FieldPath start, length;
  };
  JvmNumbers jvms_;
  std::vector<uint64_t*> counts_;  // by index of the chunk's types
  std::vector<Lasting> lasting_;   // likewise
};

void append_head(const Recording& recording, const ReportAxis& axis, std::string& out) {
  out += "{\"start\":\"";
  append_time_ns(axis.start_ns, 0, out);
  append_format(out, "\",\"seconds\":{:.3f},\"bucket_ms\":{},\"buckets\":{}",
                static_cast<double>(axis.duration_ns) / 1e9, axis.bucket_ns / ReportAxis::kMillisecond, axis.buckets());
  append_format(out, ",\"bytes\":{}", recording.size());
}

// All but the clocks, and not closed.
std::string overview_json(const Recording& recording, const ReportAxis& axis, const Gathering& gathering,
                          const std::string& tables, const Findings& findings) {
  std::string json;
  append_head(recording, axis, json);
  gathering.facts.append_json(gathering.jvms.recorded_twice(), json);
  append_findings(findings, axis, json);
  gathering.lanes.append_json(json);
  append_stalls(gathering.stalls.worst_first(), axis, json);
  json += ",\"thrown_note\":";
  append_shown(gathering.thrown.words(), json);
  json += ",\"looks_note\":";
  append_shown(gathering.looks.words(), json);
  return json + tables;
}

}  // namespace

std::string report_data(Recording& recording, const FilterOptions& words, const EarlyData& early) {
  const base::Result<Filter> filter = Filter::compile(words, recording.range());
  if (!filter) return recording.refuse(filter.error()), std::string();
  const ReportAxis axis = ReportAxis::of(recording.span(), recording.range());
  Gathering gathering(axis);
  gathering.run(recording, *filter);
  std::string tables;
  append_tables(gathering.views.take(), gathering.jvms.rows(), axis, tables);
  const bool chooses = words != FilterOptions() || !recording.range().everything();
  const bool is_empty = chooses && gathering.is_empty();
  if (chooses) gathering.facts.read_facts_of_all(recording);
  if (early && !is_empty && recording.chunks() > 0) {
    std::string json = overview_json(recording, axis, gathering, tables, Findings());
    ReportClocks().append_json(gathering.jvms, json);
    early(json + ",\"unfinished\":true}");
  }
  ProfileOptions options;
  options.filter = words;
  options.states = true;
  options.shown = axis.range();
  ReportClocks clocks;
  recording.unsaid([&] { clocks.read(recording, axis, gathering.recorded, options); });
  Findings findings;
  recording.unsaid([&] { findings = findings_of(recording, {words, {}}); });
  std::string json = overview_json(recording, axis, gathering, tables, findings);
  if (is_empty) {
    complain(recording.path(), {base::ErrorCode::kUsage, 0, "no event passes the filter"});
    json += ",\"empty\":true";
  }
  clocks.append_json(gathering.jvms, json);
  return json + '}';
}

void append_damage(const jfr::read::Problems& problems, std::string& data) {
  if (problems.empty() || data.empty()) return;
  data.pop_back();
  append_list("damage", problems.kept(), data, [&](const base::Error& problem) {
    append_shown(fmt::format("at {:#x}: {}", problem.offset, problem.what), data);
  });
  data += '}';
}

ExitCode run_report(const ReportOptions& options, Output& out) {
  const PageFile page{options.out, options.files.front()};
  if (page.is_refused(out)) return kUsageError;
  Recording recording(options.files, times_of(options.filter));
  if (!recording.open()) return recording.finish();
  std::string json = report_data(recording, options.filter);
  append_damage(recording.problems(), json);
  tell_unmatched_words(recording, options.filter);
  const ExitCode code = recording.finish();
  if (code == kNothingReadable || code == kUsageError) return code;
  const std::string title = options.title.empty() ? name_of_path(recording.path()) : options.title;
  return page.write(kReportPage, title, json, code, out);
}

void declare_report(CommandList& commands) {
  const auto options = std::make_shared<ReportOptions>();
  Command report = commands.add("report", "All that a recording tells, as one HTML page: time, stacks, locks, memory",
                                [options](Output& out) { return run_report(*options, out); });
  report.add_option("FILE", options->files, "recordings (.jfr), treated as one; - for standard input").required();
  report.add_option("--output,-o", options->out, "file to write; standard output by default");
  report.add_option("--title", options->title, "title of the page; the file's name by default");
  add_filter_options(report, options->filter);
}

}  // namespace jrec
