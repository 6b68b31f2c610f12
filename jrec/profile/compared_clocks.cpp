// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/compared_clocks.h"

#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/profile/sample_choice.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/values/recorder.h"

namespace jrec {
namespace {

using jfr::read::Chunk;

// Of a kind's types, where the first stands that the recording has events of; their number: of none.
size_t first_type(Recording& recording, const SampleKind::Types& types) {
  size_t first = types.size();
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      first = std::min(first, first_with_events(chunk, {types}).front());
      return first != 0;
    });
  });
  return first;
}

bool has_events(Chunk& chunk, std::string_view type_name) {
  const SampleLayout layout = sample_layout(chunk, type_name, true);
  if (layout.type == nullptr) return false;
  auto walk = chunk.events();
  for (jfr::read::Event event; walk.next(event);)
    if (event.type_id == layout.type->id) return true;
  return false;
}

bool has_type(Recording& recording, std::string_view type) {
  bool found = false;
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      found = has_events(chunk, type);
      return !found;
    });
  });
  return found;
}

// Who wrote a recording.
std::string tool_of(Recording& recording) {
  Recorder writer = Recorder::kJdk;
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      writer = recorder_of(chunk.metadata());
      return false;
    });
  });
  return writer == Recorder::kJdk ? "the JVM" : std::string(recorder_words(writer));
}

// Types of which each is a choice by itself.
bool has_single_choices(const SampleKind& kind) {
  return kind.choices.size() > 1 && std::ranges::all_of(kind.choices, [](const auto& one) { return one.size() == 1; });
}

}  // namespace

std::string event_of_all(const std::vector<Recording*>& recordings, const std::string& kind) {
  const SampleKind named = sample_kind(kind);
  if (!has_single_choices(named)) return kind;
  const SampleKind::Types types = named.all_types();
  std::set<size_t> firsts;
  for (Recording* recording : recordings) firsts.insert(first_type(*recording, types));
  firsts.erase(types.size());  // without samples there is nothing to compare
  if (firsts.size() < 2) return kind;
  for (const std::string_view type : types)
    if (std::ranges::all_of(recordings, [&](Recording* recording) { return has_type(*recording, type); }))
      return std::string(type);
  return kind;
}

std::string clock_of(Recording& recording, const std::string& event_type) {
  if (!is_of_time(event_type)) return event_type;
  const bool is_of_the_jvm = event_type == "jdk.CPUTimeSample";  // nobody else writes these
  return event_type + " by " + (is_of_the_jvm ? "the JVM" : tool_of(recording));
}

std::string words_of_clocks(const std::set<std::string>& before, const std::set<std::string>& after) {
  if (before.empty() || after.empty() || (before == after && before.size() == 1)) return "";
  return fmt::format(
      "A is of {}, and B of {}: what differs may be these, which see one program differently, and not the program",
      joined(std::vector(before.begin(), before.end()), " and "),
      joined(std::vector(after.begin(), after.end()), " and "));
}

}  // namespace jrec
