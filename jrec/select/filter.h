// SPDX-License-Identifier: Apache-2.0
// Filter is the one vocabulary in which every command is told what to look at. FilterOptions are the words as they were
// typed; Filter is what they mean for one recording; ChunkFilter asks it of the events of a chunk.
//
//   FilterOptions options;  add_filter_options(command, options);          once, when commands are declared
//
//   Recording recording(path, times_of(options));                          once per recording:
//   recording.open();                                                      times may count from its end
//   Result<Filter> filter = Filter::compile(options, recording.range());
//
//   ChunkFilter wanted(*filter, chunk, chunk.clock());                     once per chunk
//   if (wanted.type(type) && wanted.matches(event, type)) ...              an event must pass all that was said
//
// Everything that depends on a constant only (a thread, a stack, a state) is found out once per constant and kept. An
// empty filter costs nothing. An event whose bytes cannot be decoded passes: whoever decodes it will say so.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"
#include "jrec/select/chunk_contexts.h"
#include "jrec/select/expression.h"
#include "jrec/select/glob.h"
#include "jrec/select/regex.h"
#include "jrec/select/time_range.h"
#include "jrec/values/field_value.h"

namespace jrec {

class Command;

struct FilterOptions {
  std::string events;      // --events: names with * and ?, separated by commas
  std::string categories;  // --categories: the same, of any category that an event's type is in
  std::string threads;     // --thread: names or ids, the same
  std::string traces;      // --trace: ids with * and ?, of the request that a sample was taken in (chunk_contexts.h)
  std::string spans;       // --span: the same, or names of spans
  std::string states;      // --state: runnable, sleeping, ...; with or without STATE_
  std::string from, to;    // --from, --to: time_range.h
  std::string include;     // -I: some frame of the stack must match the regular expression
  std::string exclude;     // -X: no frame may
  std::string where;       // --where: expression.h

  bool operator==(const FilterOptions&) const = default;
};

// STATE_SLEEPING, sleeping -> sleeping; and of a list of such words.
std::string state_name(std::string text);
std::string state_patterns(const std::string& words);

// --thread, --trace, --span, --state, --from, --to, -I, -X, --where. Empty words are refused.
void add_filter_options(Command& command, FilterOptions& options);
// --events and --categories: for commands that show events of any type.
void add_event_options(Command& command, FilterOptions& options);
// One option with a text that is not empty,
void add_text_option(Command& command, const std::string& names, std::string& text, const std::string& what);
// and one with a list of words, which names something.
void add_pattern_option(Command& command, const std::string& names, std::string& list, const std::string& what);

// The same with --events or --event; a list, as there. What tells of the recording and not of its time, and is in each
// chunk for that, counts only if it is among them: of an archive nothing is read for its sake.
TimeChoice times_of(const FilterOptions& options, std::string events);
inline TimeChoice times_of(const FilterOptions& options) { return times_of(options, options.events); }

class Filter {
 public:
  Filter() = default;  // passes everything
  static base::Result<Filter> compile(const FilterOptions& options, const TimeRange& range = {});

  const TimeRange& range() const { return range_; }
  Filter at_any_time() const;  // the same without it

  bool passes_all() const;
  // Tests of --where that no event so far can pass (expression.h): most likely misspelt. None when there was no event to ask.
  std::vector<std::string> what_never_holds() const;

 private:
  friend class ChunkFilter;
  EventFilter events_, categories_, threads_, traces_, spans_, span_names_, states_;
  TimeRange range_;
  std::shared_ptr<const Regex> include_, exclude_;
  std::shared_ptr<Expression> where_;
  struct Asked {
    std::mutex guard;  // chunks are filtered side by side, and where_ notes the fields that it met
    bool any = false;
  };
  std::shared_ptr<Asked> asked_ = std::make_shared<Asked>();
};

class Recording;

// Refuses the fields of --where that no event had (recording.h). For the end, before finish().
void tell_unknown_fields(Recording& recording, const Filter& filter);

class ChunkFilter {
 public:
  ChunkFilter(const Filter& filter, jfr::read::Chunk& chunk, const jfr::read::Clock& clock);

  bool type(const jfr::read::Type& type) const;
  bool matches(const jfr::read::Event& event, const jfr::read::Type& type);

 private:
  struct Layout {
    int time = -1, thread = -1, state = -1, stack = -1;
  };
  struct FrameFindings {
    bool included = false, excluded = false;
  };
  using Verdicts = std::unordered_map<uint64_t, bool, jfr::read::KeyHash>;

  const Layout& layout_of(const jfr::read::Type& type);
  bool in_range(const FieldValue& time) const;
  bool thread_matches(const FieldValue& thread);
  bool context_matches(const FieldValue& thread, const FieldValue& time);
  bool state_matches(const FieldValue& state);
  bool stack_matches(const FieldValue& stack);
  bool look_at_frames(const FieldValue& stack);
  FrameFindings method_findings(const FieldValue& method);

  const Filter& filter_;
  FieldReader fields_;
  jfr::read::Clock clock_;
  int32_t utc_offset_s_;
  bool nothing_to_ask_;
  std::unordered_map<const jfr::read::Type*, Layout> layouts_;
  Verdicts threads_, states_, stacks_;
  std::optional<ChunkContexts> contexts_;  // once they are asked for
  std::unordered_map<uint64_t, FrameFindings, jfr::read::KeyHash> methods_;
};

}  // namespace jrec
