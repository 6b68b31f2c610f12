// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/unmatched_words.h"

#include <fmt/core.h>

#include <set>
#include <utility>
#include <vector>

#include "format/reader/field_value.h"
#include "format/reader/value_name.h"
#include "jrec/select/glob.h"
#include "jrec/select/known_events.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::FieldReader;
using jfr::read::FieldValue;

constexpr size_t kMostTold = 8;

// The words of an option that have met nothing yet, and what there was to meet.
class Unmatched {
 public:
  Unmatched(std::string_view option, const std::string& words) : option_(option) {
    for (std::string& word : patterns_of(words)) words_.emplace_back(word, EventFilter(word));
  }

  bool waits() const { return !words_.empty(); }

  void meet(std::string name) {
    if (name.empty()) return;
    std::erase_if(words_, [&](const auto& word) { return word.second.matches_name(name); });
    known_.insert(std::move(name));
  }

  // Nothing where the recording has nothing of the kind.
  void append_to(std::vector<std::string>& texts) const {
    if (known_.empty()) return;
    for (const auto& [word, filter] : words_) {
      if (texts.size() == kMostTold) return;
      texts.push_back(fmt::format("{}: there is no '{}'{}", option_, word, did_you_mean(word, known_)));
    }
  }

 private:
  std::string option_;
  std::vector<std::pair<std::string, EventFilter>> words_;
  std::set<std::string> known_;
};

// visit(value) of each constant of a type.
template <typename Visit>
void each_constant(Chunk& chunk, std::string_view type_name, Visit visit) {
  const uint32_t index = chunk.metadata().index_of(type_name);
  if (index >= chunk.metadata().types().size()) return;
  for (const uint64_t key : chunk.constants().keys(index)) {
    FieldValue value;
    value.type = &chunk.metadata().types()[index];
    value.in = chunk.constants().find(index, key);
    value.key = key;
    if (value.in.ok()) visit(value);
  }
}

void meet_states(Chunk& chunk, Unmatched& words) {
  FieldReader fields(chunk);
  each_constant(chunk, "jdk.types.ThreadState",
                [&](const FieldValue& state) { words.meet(state_name(fields.text(state))); });
}

void meet_threads(Chunk& chunk, Unmatched& words) {
  FieldReader fields(chunk);
  each_constant(chunk, "java.lang.Thread", [&](const FieldValue& thread) {
    std::string name;
    if (append_value_name(fields, thread, name)) words.meet(name);
    words.meet(fields.text(fields.member(thread, "osName")));
    for (const std::string_view id : {"javaThreadId", "osThreadId"})
      if (const int64_t number = fields.integer(fields.member(thread, id)); number > 0)
        words.meet(std::to_string(number));
  });
}

void look_for(Recording& recording, Unmatched& states, Unmatched& threads) {
  if (!states.waits() && !threads.waits()) return;
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      if (states.waits()) meet_states(chunk, states);
      if (threads.waits()) meet_threads(chunk, threads);
      return states.waits() || threads.waits();
    });
  });
}

std::vector<std::string> unmatched(Recording& recording, const FilterOptions& options) {
  Unmatched states("--state", options.states.empty() ? "" : state_patterns(options.states));
  Unmatched threads("--thread", options.threads);
  look_for(recording, states, threads);
  std::vector<std::string> texts;
  states.append_to(texts);
  threads.append_to(texts);
  return texts;
}

}  // namespace

std::string unmatched_words(Recording& recording, const FilterOptions& options) {
  std::string all;
  for (const std::string& text : unmatched(recording, options)) all += "; " + text;
  return all;
}

void tell_unmatched_words(Recording& recording, const FilterOptions& options) {
  if (!recording.says() || recording.refused() || recording.chunks() == 0) return;
  for (const std::string& text : unmatched(recording, options))
    complain(recording.path(), {base::ErrorCode::kUsage, 0, text});
}

base::Status known_threads(Recording& recording, std::string_view option, const std::string& words) {
  Unmatched nothing("", ""), threads(option, words);
  look_for(recording, nothing, threads);
  std::vector<std::string> texts;
  threads.append_to(texts);
  if (texts.empty()) return base::Done{};
  return base::Error{base::ErrorCode::kUsage, 0, texts.front()};
}

}  // namespace jrec
