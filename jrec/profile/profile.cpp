// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/profile.h"

#include "jrec/profile/sample_survey.h"
#include "jrec/profile/stack_adder.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;

StackWeights weights_of(Chunk& chunk, const std::vector<SampleLayout>& layouts, const Filter& filter) {
  StackWeights weights;
  SampleReader reader(chunk);
  SampleValues values;
  ChunkFilter wanted(filter, chunk, chunk.clock());
  auto walk = chunk.events();
  for (Event event; walk.next(event);)
    for (const SampleLayout& layout : layouts) {
      if (layout.type->id != event.type_id || !wanted.matches(event, *layout.type)) continue;
      if (!reader.read(event, layout, values)) continue;
      StackWeight& sum = weights.find_or_add(values.stack).value;
      sum.weight += values.weight;
      ++sum.samples;
    }
  return weights;
}

// One chunk, by itself.
Profile profile_of(Chunk& chunk, const SampleSurvey& survey, const Filter& filter, const ProfileOptions& options) {
  Profile profile;
  const std::vector<SampleLayout> layouts = layouts_of(survey, chunk, options.count_samples);
  if (layouts.empty()) return profile;
  const StackWeights weights = weights_of(chunk, layouts, filter);
  if (weights.empty()) return profile;
  StackAdder adder(chunk, profile.tree, options);
  adder.add(weights);
  profile.samples = adder.samples;
  profile.truncated = adder.truncated;
  profile.without_stack = adder.without_stack;
  return profile;
}

void append(Profile& whole, Profile&& part) {
  whole.samples += part.samples;
  whole.truncated += part.truncated;
  whole.without_stack += part.without_stack;
  if (whole.tree.nodes().size() == 1)
    whole.tree = std::move(part.tree);
  else
    whole.tree.add(part.tree);
}

}  // namespace

Profile read_profile(Recording& recording, const ProfileOptions& options) {
  Profile whole;
  jfr::Result<Filter> filter = Filter::compile(options.filter, recording.range());
  if (!filter) {
    recording.refuse(filter.error());
    return whole;
  }
  const SampleSurvey survey = survey_samples(recording, sample_kind(options.event));
  whole.event_type = survey.event_type;
  whole.unit = weight_unit(survey.event_type, options.count_samples);
  whole.start_ns = survey.start_ns;
  whole.duration_ns = survey.duration_ns;
  recording.each_part([&](Chunk& chunk) { return profile_of(chunk, survey, *filter, options); },
                      [&](Profile&& part) { append(whole, std::move(part)); });
  tell_unknown_fields(recording, *filter);
  return whole;
}

}  // namespace jrec
