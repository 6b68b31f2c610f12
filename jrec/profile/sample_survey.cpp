// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_survey.h"

#include <algorithm>

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;

// Where the first of these types that has events stands; their number when none has.
size_t first_with_events(Chunk& chunk, const SampleKind::Types& types) {
  std::vector<std::pair<size_t, uint64_t>> there;
  for (size_t i = 0; i < types.size(); ++i)
    if (const SampleLayout layout = sample_layout(chunk, types[i], true); layout.type != nullptr)
      there.emplace_back(i, layout.type->id);
  size_t first = types.size();
  auto walk = chunk.events();
  for (Event event; !there.empty() && first != there.front().first && walk.next(event);)
    for (const auto& [place, id] : there)
      if (id == event.type_id) first = std::min(first, place);
  return first;
}

struct Part {
  int64_t start_ns = 0, end_ns = 0;
  size_t first = 0;  // of all types, the first with events
};

Part look_at(Chunk& chunk, const SampleKind::Types& types) {
  Part part{chunk.header().start_ns, chunk.header().start_ns, types.size() == 1 ? 0 : first_with_events(chunk, types)};
  if (__builtin_add_overflow(part.start_ns, chunk.header().duration_ns, &part.end_ns)) part.end_ns = part.start_ns;
  return part;
}

}  // namespace

SampleSurvey survey_samples(Recording& recording, const SampleKind& kind) {
  const SampleKind::Types types = kind.all_types();
  SampleSurvey survey;
  size_t first = types.size();
  int64_t end_ns = 0;
  bool any = false;
  recording.survey([&](Chunk& chunk) { return look_at(chunk, types); },
                   [&](Part&& part) {
                     survey.start_ns = any ? std::min(survey.start_ns, part.start_ns) : part.start_ns;
                     end_ns = any ? std::max(end_ns, part.end_ns) : part.end_ns;
                     first = std::min(first, part.first);
                     any = true;
                   });
  if (end_ns > survey.start_ns)
    survey.duration_ns = static_cast<uint64_t>(end_ns) - static_cast<uint64_t>(survey.start_ns);
  if (first == types.size()) first = 0;
  survey.event_type = types[first];
  survey.types = kind.choice_with(first);
  survey.wall = kind.wall;
  return survey;
}

std::vector<SampleLayout> layouts_of(const SampleSurvey& survey, const Chunk& chunk, bool count_samples) {
  std::vector<SampleLayout> layouts;
  for (const std::string_view type : survey.types) {
    const SampleLayout layout = sample_layout(chunk, type, count_samples, survey.wall);
    if (layout.type != nullptr) layouts.push_back(layout);
  }
  return layouts;
}

}  // namespace jrec
