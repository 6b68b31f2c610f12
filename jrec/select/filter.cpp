// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/filter.h"

#include <algorithm>
#include <cctype>

#include "format/reader/values.h"
#include "jrec/base/command_line.h"
#include "jrec/input/recording.h"
#include "jrec/values/field_text.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

// Its start is that of the recording, in whichever chunk it stands.
constexpr std::string_view kOfTheRecording = "jdk.ActiveRecording";

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Meaning;
using jfr::read::Type;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// A shell makes such words of "$THREAD" where THREAD is not set: everything would pass, and nobody has asked for that.
constexpr const char* kEmptyWord = "is empty; leave it out to choose everything";
std::string no_text(const std::string& text) { return text.empty() ? kEmptyWord : ""; }
std::string no_pattern(const std::string& list) { return EventFilter(list).empty() ? kEmptyWord : ""; }

}  // namespace

std::string state_name(std::string text) {
  text = lower(std::move(text));
  return text.starts_with("state_") ? text.substr(6) : text;
}

std::string state_patterns(const std::string& words) {
  std::string out;
  for (size_t from = 0; from <= words.size();) {
    const size_t end = std::min(words.find(',', from), words.size());
    out += state_name(words.substr(from, end - from)) + ",";
    from = end + 1;
  }
  return out;
}

void add_filter_options(Command& command, FilterOptions& options) {
  add_pattern_option(command, "--thread,--threads", options.threads,
                     "only these threads: names with * and ?, or ids, separated by commas");
  add_pattern_option(command, "--trace", options.traces,
                     "only samples of these requests: trace ids with * and ?, separated by commas");
  add_pattern_option(command, "--span", options.spans, "likewise, by span ids, or by the names of spans");
  add_pattern_option(command, "--state", options.states,
                     "only samples in these thread states: runnable, sleeping, ...");
  add_text_option(command, "--from", options.from,
                  "only events that start then or later: 1500 (ms), 90s, -10s (before the end), 11:22:33, ISO 8601");
  add_text_option(command, "--to", options.to, "only events that start before then");
  add_text_option(command, "-I,--include", options.include,
                  "only stacks with a frame that matches this regular expression");
  add_text_option(command, "-X,--exclude", options.exclude,
                  "no stacks with a frame that matches this regular expression");
  add_text_option(command, "--where", options.where,
                  "only events that match, as in: duration > 10ms and eventThread.javaName = 'worker-*'");
}

void add_event_options(Command& command, FilterOptions& options) {
  add_pattern_option(command, "--events", options.events, "only these events: names with * and ?, separated by commas");
  add_pattern_option(command, "--categories", options.categories, "only events in these categories, the same");
}

void add_text_option(Command& command, const std::string& names, std::string& text, const std::string& what) {
  command.add_option(names, text, what).check(no_text);
}

void add_pattern_option(Command& command, const std::string& names, std::string& list, const std::string& what) {
  command.add_option(names, list, what).check(no_pattern);
}

base::Result<Filter> Filter::compile(const FilterOptions& options, const TimeRange& range) {
  Filter filter;
  filter.events_ = EventFilter(options.events);
  filter.categories_ = EventFilter(options.categories);
  filter.threads_ = EventFilter(options.threads);
  filter.traces_ = EventFilter(lower(options.traces));
  filter.spans_ = EventFilter(lower(options.spans));
  filter.span_names_ = EventFilter(options.spans);
  filter.states_ = EventFilter(options.states.empty() ? "" : state_patterns(options.states));
  filter.range_ = range;
  for (const auto& [pattern, regex] :
       {std::pair(&options.include, &filter.include_), std::pair(&options.exclude, &filter.exclude_)}) {
    if (pattern->empty()) continue;
    auto compiled = Regex::compile(*pattern);
    if (!compiled) return compiled.error();
    *regex = *compiled;
  }
  if (options.where.empty()) return filter;
  auto where = Expression::parse(options.where);
  if (!where) return where.error();
  filter.where_ = std::make_shared<Expression>(std::move(*where));
  return filter;
}

TimeChoice times_of(const FilterOptions& options, std::string events) {
  TimeChoice choice = time_choice(options.from, options.to);
  if (!events.empty())
    choice.wants = [named = EventFilter(events)](std::string_view type) {
      return type != kOfTheRecording || named.matches(type);
    };
  return choice;
}

Filter Filter::at_any_time() const {
  Filter filter = *this;
  filter.range_ = {};
  return filter;
}

bool Filter::passes_all() const {
  return threads_.empty() && traces_.empty() && spans_.empty() && states_.empty() && range_.everything() && !include_ &&
         !exclude_ && !where_;
}

std::vector<std::string> Filter::what_never_holds() const {
  return where_ && asked_->any ? where_->what_never_holds() : std::vector<std::string>();
}

void tell_unknown_fields(Recording& recording, const Filter& filter) {
  for (const std::string& test : filter.what_never_holds())
    recording.refuse(base::Error{base::ErrorCode::kUsage, 0, "--where: " + test});
}

ChunkFilter::ChunkFilter(const Filter& filter, Chunk& chunk, const jfr::read::Clock& clock)
    : filter_(filter),
      fields_(chunk),
      clock_(clock),
      utc_offset_s_(checked_utc_offset_s(chunk.metadata().utc_offset_ms())),
      nothing_to_ask_(filter.passes_all()) {}

bool ChunkFilter::type(const Type& type) const {
  if (!filter_.events_.matches(type.name)) return false;
  if (filter_.categories_.empty()) return true;
  const jfr::read::Annotation* category = type.annotation("jdk.jfr.Category");
  if (category == nullptr) return filter_.categories_.matches_whole("Uncategorized");
  return std::any_of(category->members.begin(), category->members.end(),
                     [&](const auto& member) { return filter_.categories_.matches_whole(member.second); });
}

bool ChunkFilter::matches(const Event& event, const Type& type) {
  if (nothing_to_ask_ || !type.decodable()) return true;
  const Layout& layout = layout_of(type);
  if (!filter_.range_.everything() && !in_range(fields_.of(event, type, layout.time))) return false;
  if (!filter_.threads_.empty() && !thread_matches(fields_.of(event, type, layout.thread))) return false;
  if (!(filter_.traces_.empty() && filter_.spans_.empty()) &&
      !context_matches(fields_.of(event, type, layout.thread), fields_.of(event, type, layout.time)))
    return false;
  if (!filter_.states_.empty() && !state_matches(fields_.of(event, type, layout.state))) return false;
  if ((filter_.include_ || filter_.exclude_) && !stack_matches(fields_.of(event, type, layout.stack))) return false;
  if (!filter_.where_) return true;
  const FieldTime time(clock_, utc_offset_s_);
  return filter_.where_->matches(fields_, time, utc_offset_s_, event, type);
}

const ChunkFilter::Layout& ChunkFilter::layout_of(const Type& type) {
  const auto [place, is_new] = layouts_.try_emplace(&type);
  if (!is_new) return place->second;
  if (filter_.where_) {
    const std::lock_guard lock(filter_.asked_->guard);
    filter_.where_->meet(type, fields_.chunk().metadata());
    filter_.asked_->any = true;
  }
  Layout& layout = place->second;
  layout.time = type.field("startTime");
  layout.state = type.field("state");
  layout.stack = type.field("stackTrace");
  for (const std::string_view name : {"sampledThread", "eventThread", "thread"})
    if (layout.thread < 0) layout.thread = type.field(name);
  return layout;
}

bool ChunkFilter::in_range(const FieldValue& time) const {
  if (!time.is_number()) return false;
  // The start of an event is in ticks, whether its annotation can be read or not.
  const Meaning meaning = is_time(time.field->meaning) ? time.field->meaning : Meaning::kTimestampTicks;
  return filter_.range_.holds(FieldTime(clock_, utc_offset_s_).nanos(fields_.integer(time), meaning));
}

bool ChunkFilter::thread_matches(const FieldValue& thread) {
  if (thread.null()) return false;
  const auto [verdict, is_new] = threads_.try_emplace(thread.key, false);
  if (!is_new && thread.constant) return verdict->second;
  std::string name, os_name;
  bool matches = thread.is_struct() && append_value_name(fields_, thread, name) && filter_.threads_.matches_name(name);
  if (fields_.text(fields_.member(thread, "osName"), os_name))
    matches = matches || filter_.threads_.matches_name(os_name);
  for (const std::string_view id : {"javaThreadId", "osThreadId"}) {
    const int64_t number = fields_.integer(fields_.member(thread, id));
    matches = matches || (number > 0 && filter_.threads_.matches_whole(std::to_string(number)));
  }
  return verdict->second = matches;
}

bool ChunkFilter::context_matches(const FieldValue& thread, const FieldValue& time) {
  if (!contexts_) contexts_.emplace(fields_.chunk());
  if (thread.null() || !thread.constant || !time.is_number()) return false;
  const SampleContext* const context = contexts_->of(thread.key, fields_.integer(time));
  const auto is_one = [](const EventFilter& wanted, const std::string& text) {
    return !text.empty() && wanted.matches_whole(text);
  };
  return context != nullptr && (filter_.traces_.empty() || is_one(filter_.traces_, lower(context->trace))) &&
         (filter_.spans_.empty() || is_one(filter_.spans_, lower(context->span)) ||
          is_one(filter_.span_names_, context->name));
}

bool ChunkFilter::state_matches(const FieldValue& state) {
  if (state.null()) return false;
  const auto [verdict, is_new] = states_.try_emplace(state.key, false);
  if (is_new || !state.constant) verdict->second = filter_.states_.matches_whole(state_name(fields_.text(state)));
  return verdict->second;
}

bool ChunkFilter::stack_matches(const FieldValue& stack) {
  if (stack.null()) return filter_.include_ == nullptr;
  const auto [verdict, is_new] = stacks_.try_emplace(stack.key, false);
  if (is_new || !stack.constant) verdict->second = look_at_frames(stack);
  return verdict->second;
}

bool ChunkFilter::look_at_frames(const FieldValue& stack) {
  const FieldValue frames = fields_.member(stack, "frames");
  if (frames.null() || !frames.array) return filter_.include_ == nullptr;
  Cursor in = frames.in;
  const uint64_t count = read_count(in, fields_.chunk().metadata(), *frames.field);
  bool included = filter_.include_ == nullptr;
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    const FrameFindings found = method_findings(fields_.member(fields_.take_element(in, *frames.field), "method"));
    if (found.excluded) return false;
    included = included || found.included;
  }
  return included;
}

ChunkFilter::FrameFindings ChunkFilter::method_findings(const FieldValue& method) {
  const auto [known, is_new] = methods_.try_emplace(method.key);
  if (!is_new && method.constant) return known->second;
  std::string name;
  if (!append_method_name(fields_, method, name)) name = "[unknown]";
  known->second = {filter_.include_ && filter_.include_->found_in(name),
                   filter_.exclude_ && filter_.exclude_->found_in(name)};
  return known->second;
}

}  // namespace jrec
