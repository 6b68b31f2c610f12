// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/event_selection.h"

#include "format/reader/values.h"

namespace jrec {
namespace {

using base::Result;
using base::Status;
using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Type;

// Filter::passes_all() is about events of the types that it wants, and says nothing of these.
bool asks_for_types(const FilterOptions& options) { return !options.events.empty() || !options.categories.empty(); }

bool copy_part(const EventPart& part, Cursor in, const jfr::read::Metadata& metadata, const Type& type,
               WireBytes& out) {
  for (int i = 0; i < static_cast<int>(type.fields.size()); ++i) {
    const uint8_t* const from = in.here();
    skip_field(in, metadata, type.fields[static_cast<size_t>(i)]);
    if (!in.ok()) return false;  // whoever decodes it will say so
    if (const EventPart::Number* const number = part.of(i))
      out.leb(static_cast<uint64_t>(number->value));
    else
      out.add({from, in.here()});
  }
  return true;
}

}  // namespace

bool tells_of_chunk(std::string_view type) { return type == "jdk.ActiveSetting" || type == "jdk.JVMInformation"; }

Result<EventSelection> EventSelection::of(const SelectionOptions& options, const TimeRange& range) {
  EventSelection selection;
  Result<Filter> filter = Filter::compile(options.filter, range);
  if (!filter) return filter.error();
  selection.filter_ = std::move(*filter);
  selection.for_types_ = asks_for_types(options.filter);
  if (!range.everything()) selection.lasting_.emplace(range);
  selection.at_any_time_ = selection.filter_.at_any_time();
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
  lasting_wanted_.emplace(at_any_time_, chunk, chunk.clock());
  if (lasting_) lasting_->begin(chunk);
  earlier_.reset();
  if (has_beginning_ && has_any(chunk)) earlier_.emplace(earlier_filter_, chunk, chunk.clock());
  if (lasting_) lasting_->restart();
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
  if (excludes(by_name_, event, type) || excludes(by_category_, event, type) || excludes(by_thread_, event, type))
    return false;
  return is_wanted(event, type) || is_fact(event, type);
}

bool EventSelection::is_wanted(const Event& event, const Type& type) {
  if (!wanted_->type(type)) return false;
  if (!lasting_ || !lasting_->has(type)) return wanted_->matches(event, type);
  return lasting_wanted_->matches(event, type) && lasting_->take(event, type);
}

bool EventSelection::shortens(const Event& event, const Type& type, Cursor in, const jfr::read::Metadata& metadata,
                              WireBytes& out) const {
  const EventPart* const part = lasting_ ? lasting_->part_of(event) : nullptr;
  return part != nullptr && copy_part(*part, in, metadata, type, out);
}

bool EventSelection::excludes(Exclusion& exclusion, const Event& event, const Type& type) {
  return exclusion.asked && exclusion.of_chunk->type(type) && exclusion.of_chunk->matches(event, type);
}

}  // namespace jrec
