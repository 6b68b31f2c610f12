// SPDX-License-Identifier: Apache-2.0
// EventSelection tells which events are to stay: those that pass the filter (filter.h), and that nothing excludes.
//
// Of what lasts (waits, looks of the wall clock) the part stays that is in the time, whenever it began, as in stacks of that time
// (lasting_events.h).
//
// Events of undeclared types stay only where nothing at all is asked for. Of a chunk of which something stays, what it says
// about itself stays, too, if it stands before the times asked for: settings, without which nobody knows what a sample stands
// for, and the JVM.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "jrec/files/chunk_rewrite.h"
#include "jrec/profile/lasting_events.h"
#include "jrec/select/filter.h"

namespace jrec {

struct SelectionOptions {
  FilterOptions filter;
  // Lists of names with * and ?, as in the filter.
  std::string exclude_events, exclude_categories, exclude_threads;
};

// Whether events of the type are what a chunk says about itself.
bool tells_of_chunk(std::string_view type);

class EventSelection : public EventRule {
 public:
  // kUsage: what was typed makes no sense. range: the times that were chosen.
  static base::Result<EventSelection> of(const SelectionOptions& options, const TimeRange& range);

  void begin(jfr::read::Chunk& chunk) override;
  bool keeps(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type* type) override;
  // Of an event that stays, whether a part of it does. `in` reads its fields, and `out` gets those of the part.
  bool shortens(const jfr::read::Event& event, const jfr::read::Type& type, jfr::read::Cursor in,
                const jfr::read::Metadata& metadata, WireBytes& out) const;
  bool keeps_everything() const;

 private:
  // A filter whose matches are excluded; asked only when something is.
  struct Exclusion {
    bool asked = false;
    Filter filter;
    std::optional<ChunkFilter> of_chunk;
  };
  bool passes(const jfr::read::Event& event, const jfr::read::Type& type);
  bool is_wanted(const jfr::read::Event& event, const jfr::read::Type& type);
  bool is_fact(const jfr::read::Event& event, const jfr::read::Type& type);
  bool has_any(jfr::read::Chunk& chunk);
  static base::Status compile(Exclusion& exclusion, const FilterOptions& options);
  static bool excludes(Exclusion& exclusion, const jfr::read::Event& event, const jfr::read::Type& type);

  Filter filter_;
  bool for_types_ = false;             // the filter chooses among types, which passes_all() does not tell
  std::optional<ChunkFilter> wanted_;  // of the chunk at hand
  Filter earlier_filter_;              // the same without a beginning,
  bool has_beginning_ = false;         // where there is one
  std::optional<ChunkFilter> earlier_;
  Filter at_any_time_;  // the same without a time,
  std::optional<ChunkFilter> lasting_wanted_;
  std::optional<LastingEvents> lasting_;  // where there is one
  Exclusion by_name_, by_category_, by_thread_;
};

}  // namespace jrec
