// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/unmatched_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "format/reader/field_value.h"
#include "jrec/select/glob.h"
#include "jrec/select/known_events.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::FieldReader;
using jfr::read::FieldValue;

// visit(value) of each constant of a type.
template <typename Visit>
void each_constant(Chunk& chunk, std::string_view type_name, Visit visit) {
  const uint32_t index = chunk.metadata().index_of(type_name);
  if (index >= chunk.metadata().types().size()) return;
  for (const uint64_t key : chunk.constants().keys(index)) {
    FieldValue value;
    value.type = &chunk.metadata().types()[index];
    value.in = chunk.constants().find(index, key);
    if (value.in.ok()) visit(value);
  }
}

void meet_states(Chunk& chunk, std::set<std::string>& known) {
  FieldReader fields(chunk);
  each_constant(chunk, "jdk.types.ThreadState",
                [&](const FieldValue& state) { known.insert(state_name(fields.text(state))); });
}

void meet_threads(Chunk& chunk, std::set<std::string>& known) {
  FieldReader fields(chunk);
  each_constant(chunk, "java.lang.Thread", [&](const FieldValue& thread) {
    for (const std::string_view name : {"javaName", "osName"})
      if (std::string text = fields.text(fields.member(thread, name)); !text.empty()) known.insert(std::move(text));
    for (const std::string_view id : {"javaThreadId", "osThreadId"})
      known.insert(std::to_string(fields.integer(fields.member(thread, id))));
  });
}

std::string first_unmatched(std::string_view option, const std::string& words, const std::set<std::string>& known) {
  if (known.empty()) return {};
  for (const std::string& word : patterns_of(words)) {
    const EventFilter filter(word);
    if (std::ranges::any_of(known, [&](const std::string& name) { return filter.matches_whole(name); })) continue;
    const std::string near = did_you_mean(word, known);
    return fmt::format("; {}: there is no '{}'{}", option, word, near);
  }
  return {};
}

}  // namespace

std::string unmatched_words(Recording& recording, const FilterOptions& options) {
  if (options.states.empty() && options.threads.empty()) return {};
  std::set<std::string> states, threads;
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      meet_states(chunk, states);
      meet_threads(chunk, threads);
    });
  });
  return first_unmatched("--state", state_patterns(options.states), states) +
         first_unmatched("--thread", options.threads, threads);
}

}  // namespace jrec
