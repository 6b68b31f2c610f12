// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/view_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/base/terminal.h"
#include "jrec/input/archive_input.h"
#include "jrec/input/recording.h"
#include "jrec/select/known_events.h"
#include "jrec/select/unmatched_words.h"
#include "jrec/view/asked_views.h"
#include "jrec/view/event_pass.h"
#include "jrec/view/looks_note.h"
#include "jrec/view/memory_notes.h"
#include "jrec/view/thrown_note.h"
#include "jrec/view/view_list.h"

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return text;
}

// The column whose caption is, or begins with, or holds the words; kNoOrder when none does.
int column_named(const View& view, const std::string& words) {
  const std::string wanted = lowered(words);
  int found = kNoOrder, quality = 0;
  for (size_t i = 0; i < view.columns.size(); ++i) {
    const std::string caption = lowered(view.columns[i].caption);
    const size_t at = caption.empty() ? std::string::npos : caption.find(wanted);
    const int match = caption == wanted ? 3 : at == 0 ? 2 : at != std::string::npos ? 1 : 0;
    if (match > quality) found = static_cast<int>(i), quality = match;
  }
  return found;
}

// The options that change a view before it is filled.
class Wishes {
 public:
  explicit Wishes(const ViewOptions& options) : options_(options) {}

  void apply(View& view) {
    if (options_.all_rows) view.limit = 0;
    if (options_.rows) view.limit = *options_.rows;
    if (options_.sort.empty()) return;
    const bool reversed = options_.sort[0] == '-';
    const int column = column_named(view, asked_column());
    for (const Column& each : view.columns) captions_.insert(each.caption);
    if (column == kNoOrder) return;
    sorted_ = true;
    view.order = column;
    view.ascending = reversed;
  }
  bool sorted() const { return sorted_ || options_.sort.empty(); }
  base::Error no_such_column() const {
    return {base::ErrorCode::kUsage, 0,
            fmt::format("--sort: there is no column '{}'{}", options_.sort, did_you_mean(asked_column(), captions_))};
  }

 private:
  std::string asked_column() const { return options_.sort.substr(options_.sort.starts_with('-') ? 1 : 0); }

  const ViewOptions& options_;
  bool sorted_ = false;
  std::set<std::string> captions_;  // of all views
};

// --- What a file can show ---

using Counts = std::map<std::string, uint64_t>;

uint64_t events_of(const View& view, const Counts& counts) {
  uint64_t events = 0;
  for (const auto& [type, count] : counts)
    if (view.types.empty() || std::find(view.types.begin(), view.types.end(), type) != view.types.end())
      events += count;
  return events;
}

void append_list(const Counts& counts, std::string& out) {
  Section section = Section::kEventType;
  std::string last;
  for (const View& view : all_views()) {
    const uint64_t events = events_of(view, counts);
    if (events == 0 || view.name == last) continue;
    last = view.name;
    if (view.section != section) append_format(out, "{}{}:\n", out.empty() ? "" : "\n", title_of(view.section));
    section = view.section;
    append_format(out, "  {:<30} {:>9}  {}\n", view.name, events, view.what);
  }
  append_format(out, "{}{}:\n", out.empty() ? "" : "\n", title_of(Section::kEventType));
  for (const auto& [type, count] : counts) append_format(out, "  {:<40} {:>9}\n", plain(type), count);
}

void append_list_json(const Counts& counts, std::string& out) {
  const char* separator = "[\n";
  const auto add = [&](const std::string& name, uint64_t events, const std::string& what) {
    out += std::exchange(separator, ",\n");
    out += "{\"name\":";
    append_json_string(name, out);
    append_format(out, ",\"events\":{},\"what\":", events);
    append_json_string(what, out);
    out += '}';
  };
  std::string last;
  for (const View& view : all_views()) {
    const uint64_t events = events_of(view, counts);
    if (events != 0 && view.name != last) add(last = view.name, events, view.what);
  }
  for (const auto& [type, count] : counts) add(type, count, "event type");
  out += counts.empty() ? "[]\n" : "\n]\n";
}

void list_views(EventPass& pass, const ViewOptions& options, Output& out) {
  Counts counts;
  std::vector<uint64_t*> places;  // by index of the chunk's types
  const auto begin = [&](CellReader&, Chunk& chunk) { places.assign(chunk.metadata().types().size(), nullptr); };
  pass.run(
      begin, [](uint32_t) { return true; },
      [&](CellReader& cells, const Event&, uint32_t type) {
        if (places[type] == nullptr)
          places[type] = &counts[std::string(cells.fields().chunk().metadata().types()[type].name)];
        ++*places[type];
      });
  options.json ? append_list_json(counts, out.text()) : append_list(counts, out.text());
}

// --- Views ---

// Where nobody told them apart the last word is a recording; so are those in front of it that are there and are no names of views.
struct AskedOf {
  explicit AskedOf(const ViewOptions& options) : names(options.words), files(options.files) {
    if (files.empty()) split(options.words);
  }

  // `view FILE gc`: the words are in the wrong order, a file that is missing is called otherwise.
  bool swapped() const {
    const std::string& last = files.back();
    const bool may_be_name = last.find('/') == std::string::npos && !last.ends_with(".jfr") && !last.ends_with(".recz");
    return files.size() > 1 && may_be_name && !is_input(last);
  }

  std::vector<std::string> names, files;

 private:
  void split(const std::vector<std::string>& words) {
    const std::vector<std::string> views = view_names();
    auto first = words.end() - 1;
    while (first != words.begin() && is_input(first[-1]) && std::ranges::find(views, first[-1]) == views.end()) --first;
    names.assign(words.begin(), first);
    files.assign(first, words.end());
  }

  static bool is_input(const std::string& word) {
    return word == "-" || is_remote(word) || archive_place(word) || ::access(word.c_str(), F_OK) == 0;
  }
};

ExitCode swapped_words(const AskedOf& asked) {
  const std::string& name = asked.files.back();
  complain(name, {base::ErrorCode::kUsage, 0,
                  fmt::format("is no file, and names of views stand in front of files: jrec view {} {}", plain(name),
                              plain(asked.files.front()))});
  return kUsageError;
}

bool is_of_exceptions(const View& view) {
  return std::ranges::find(view.types, "jdk.JavaExceptionThrow") != view.types.end();
}

// Notes that stand under tables.
struct TableNotes {
  ThrownNote thrown;
  LooksNote looks;
};

// What is beneath a view's table or form, of one that has a note.
std::string note_under(const View& view, const TableNotes& notes) {
  if (view.name == "exception-count") return notes.thrown.words_before_looks();
  if (view.name == "latencies-by-type") return notes.looks.words();
  return is_of_exceptions(view) && !view.form ? notes.thrown.words() : "";
}

void append_note(const std::string& note, std::string& out) {
  if (!note.empty()) out += "\n" + note + "\n";
}

void append_views(std::vector<std::unique_ptr<ViewRows>> views, const TableNotes& notes, const ViewOptions& options,
                  Output& out) {
  TableStyle style;
  style.width = options.width != 0 ? options.width : terminal_columns();
  if (options.truncate == "beginning") style.truncate = Truncate::kBeginning;
  if (options.truncate == "end") style.truncate = Truncate::kEnd;
  const bool several = views.size() > 1;
  const char* separator = "";
  if (options.json && several) out.text() += "{\n";
  for (const auto& view : views) {
    const Rows rows = view->finish();
    std::string& text = out.text();
    text += std::exchange(separator, options.json ? ",\n" : "\n");
    if (options.json) {
      if (several) append_json_string(view->view().name, text), text += ':';
      append_json_rows(rows, text);
    } else if (rows.rows.empty()) {
      const bool chooses = options.filter != FilterOptions();
      text += fmt::format("No events {} for '{}'.\n", chooses ? "pass the filter" : "found", plain(view->view().title));
    } else if (view->view().form) {
      append_form(view->view(), rows, style, text);
      append_note(note_under(view->view(), notes), text);
    } else {
      append_table(view->view(), rows, style, text);
      append_note(note_under(view->view(), notes), text);
    }
    out.flush_if_large();
  }
  if (options.json) out.text() += several ? "\n}\n" : views.empty() ? "[]\n" : "\n";
}

// The one view that is told in words; with --json, or beside others, it is the table of the list.
void show_oom(EventPass& pass, Output& out) {
  MemoryNotes notes;
  std::vector<bool> wanted;
  pass.run(
      [&](CellReader&, Chunk& chunk) {
        wanted.clear();
        for (const Type& type : chunk.metadata().types()) wanted.push_back(MemoryNotes::wants(type));
      },
      [&](uint32_t type) { return wanted[type]; },
      [&](CellReader& cells, const Event& event, uint32_t type) {
        notes.take(cells, event, cells.fields().chunk().metadata().types()[type]);
      });
  notes.in_order();
  out.text() += oom_report(notes);
}

base::Error no_such_view(const std::string& unknown, std::set<std::string> known) {
  for (std::string& view : view_names()) known.insert(std::move(view));
  return {base::ErrorCode::kUsage, 0,
          fmt::format("there is no view and no event type '{}'; without a name, jrec view FILE lists them{}", unknown,
                      did_you_mean(unknown, known))};
}

bool may_have_note(const std::string& name) {
  return name.starts_with("exception") || name.starts_with("all-") || name == "latencies-by-type";
}

void show_views(EventPass& pass, const std::vector<std::string>& names, const ViewOptions& options, Output& out) {
  Wishes wishes(options);
  AskedViews views(names, [&](View& view) { wishes.apply(view); });
  TableNotes notes;
  const bool has_note = !options.json && std::ranges::any_of(names, may_have_note);
  pass.run(
      [&](CellReader& cells, Chunk& chunk) {
        views.begin(cells, chunk);
        if (has_note) notes.thrown.begin(cells, chunk, pass.recording.range()), notes.looks.begin(cells, chunk);
      },
      [&](uint32_t type) { return views.wants(type) || notes.thrown.wants(type) || notes.looks.wants(type); },
      [&](CellReader& cells, const Event& event, uint32_t type) {
        if (views.wants(type)) views.add(cells, event, type);
        if (notes.thrown.wants(type)) notes.thrown.add(cells, event, type);
        if (notes.looks.wants(type)) notes.looks.add(cells, event, type);
      });
  const std::vector<std::string> unknown = views.unknown();
  if (!unknown.empty()) return pass.recording.refuse(no_such_view(unknown[0], views.event_types()));
  if (!wishes.sorted()) return pass.recording.refuse(wishes.no_such_column());
  append_views(views.take(), notes, options, out);
}

}  // namespace

ExitCode run_view(const ViewOptions& options, Output& out) {
  const AskedOf asked(options);
  if (asked.swapped()) return swapped_words(asked);
  const auto& [names, files] = asked;
  Recording recording(files, times_of(options.filter));
  if (!recording.open()) return recording.finish();
  base::Result<Filter> filter = Filter::compile(options.filter, recording.range());
  if (!filter) return recording.refuse(filter.error()), recording.finish();
  EventPass pass{recording, *filter};
  if (names.empty() || names == std::vector<std::string>{"types"})
    list_views(pass, options, out);
  else if (names == std::vector<std::string>{"oom"} && !options.json)
    show_oom(pass, out);
  else
    show_views(pass, names, options, out);
  tell_unknown_fields(recording, *filter);
  tell_unmatched_words(recording, options.filter);
  return recording.finish();
}

void declare_view(CommandList& commands) {
  const auto options = std::make_shared<ViewOptions>();
  Command view = commands.add("view", "Tables: hot methods, threads, collections, locks, ... or the events of a type",
                              [options](Output& out) { return run_view(*options, out); });
  view.add_option(
          "NAME FILE", options->words,
          "views, event types, all-views, all-events; none to see what there is; and recordings, treated as one")
      .required()
      .type_name("[NAME ...] FILE...");
  view.add_option("--width", options->width, "columns of the tables; those of the terminal by default")
      .in_range(20, 100'000);
  view.add_option("-n,--rows", options->rows, "rows of each table, 0: all; by default as many as the view says");
  view.add_flag("--all-rows", options->all_rows, "every row");
  view.add_option("--truncate", options->truncate, "where long texts are cut: beginning or end")
      .one_of({"beginning", "end"});
  view.add_option("--sort", options->sort, "column to order by, the largest first; -COLUMN: the smallest first");
  view.add_flag("--json", options->json, "an array of rows; of several views an object of arrays");
  add_filter_options(view, options->filter);
}

}  // namespace jrec
