// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/event_selection.h"

namespace jrec {
namespace {

// Filter::passes_all() is about events of the types that it wants, and says nothing of these.
bool asks_for_types(const FilterOptions& options) { return !options.events.empty() || !options.categories.empty(); }

}  // namespace

using base::Result;
using base::Status;
using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

bool tells_of_chunk(std::string_view type) { return type == "jdk.ActiveSetting" || type == "jdk.JVMInformation"; }

Result<EventSelection> EventSelection::of(const SelectionOptions& options, const TimeRange& range) {
  EventSelection selection;
  Result<Filter> filter = Filter::compile(options.filter, range);
  if (!filter) return filter.error();
  selection.filter_ = std::move(*filter);
  selection.for_types_ = asks_for_types(options.filter);
  selection.has_beginning_ = range.from_ns != TimeRange().from_ns;
  Result<Filter> earlier = Filter::compile(options.filter, {TimeRange().from_ns, range.to_ns});
  if (!earlier) return earlier.error();
  selection.earlier_filter_ = std::move(*earlier);
  FilterOptions names, categories, threads;
  names.events = options.exclude_events;
  categories.categories = options.exclude_categories;
  threads.threads = options.exclude_threads;
  for (const auto& [exclusion, words] :
       {std::pair{&selection.by_name_, &names}, std::pair{&selection.by_category_, &categories},
        std::pair{&selection.by_thread_, &threads}})
    if (const Status compiled = compile(*exclusion, *words); !compiled) return compiled.error();
  return selection;
}

Status EventSelection::compile(Exclusion& exclusion, const FilterOptions& options) {
  Result<Filter> filter = Filter::compile(options);
  if (!filter) return filter.error();
  exclusion.filter = std::move(*filter);
  exclusion.asked = asks_for_types(options) || !exclusion.filter.passes_all();
  return base::Done{};
}

bool EventSelection::keeps_everything() const {
  return !for_types_ && filter_.passes_all() && !by_name_.asked && !by_category_.asked && !by_thread_.asked;
}

void EventSelection::begin(Chunk& chunk) {
  wanted_.emplace(filter_, chunk, chunk.clock());
  for (Exclusion* exclusion : {&by_name_, &by_category_, &by_thread_})
    if (exclusion->asked) exclusion->of_chunk.emplace(exclusion->filter, chunk, chunk.clock());
  earlier_.reset();
  if (has_beginning_ && has_any(chunk)) earlier_.emplace(earlier_filter_, chunk, chunk.clock());
}

bool EventSelection::has_any(Chunk& chunk) {
  auto walk = chunk.events();
  for (Event event; walk.next(event);)
    if (const Type* type = chunk.type_of(event); type != nullptr && passes(event, *type)) return true;
  return false;
}

bool EventSelection::is_fact(const Event& event, const Type& type) {
  return earlier_ && tells_of_chunk(type.name) && earlier_->type(type) && earlier_->matches(event, type);
}

bool EventSelection::keeps(Chunk&, const Event& event, const Type* type) {
  if (type == nullptr) return keeps_everything();
  return passes(event, *type);
}

bool EventSelection::passes(const Event& event, const Type& type) {
  if (!(wanted_->type(type) && wanted_->matches(event, type)) && !is_fact(event, type)) return false;
  return !excludes(by_name_, event, type) && !excludes(by_category_, event, type) && !excludes(by_thread_, event, type);
}

bool EventSelection::excludes(Exclusion& exclusion, const Event& event, const Type& type) {
  return exclusion.asked && exclusion.of_chunk->type(type) && exclusion.of_chunk->matches(event, type);
}

}  // namespace jrec
