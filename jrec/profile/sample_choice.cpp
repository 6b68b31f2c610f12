// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_choice.h"

#include <fmt/core.h>

#include <algorithm>

#include "jrec/profile/sample_reader.h"

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Event;

namespace {

bool has_others(const Chunk& chunk, const ChosenSamples& kind) {
  const auto is_there = [&](std::string_view type) { return sample_layout(chunk, type, true).type != nullptr; };
  return std::ranges::any_of(kind.others, [&](const auto& other) { return std::ranges::any_of(other, is_there); });
}

}  // namespace

ChosenSamples chosen_samples(const SampleKind& kind, size_t first) {
  const SampleKind::Types types = kind.all_types();
  if (first >= types.size()) first = 0;
  ChosenSamples chosen{kind.choice_with(first), std::string(types[first]), kind.wall, 0, false, false, {}, {}, {}};
  size_t begin = 0;  // of a choice in all types
  for (const SampleKind::Types& choice : kind.choices) {
    const bool is_alike = weight_unit(choice.front(), false) == weight_unit(types[first], false);
    if (begin > first && is_alike) chosen.others.push_back(choice);
    begin += choice.size();
  }
  return chosen;
}

std::vector<size_t> first_with_events(Chunk& chunk, const std::vector<SampleKind::Types>& kinds) {
  struct Asked {
    size_t kind, place;
    uint64_t id;
  };
  std::vector<size_t> firsts;
  std::vector<Asked> asked;
  for (const SampleKind::Types& types : kinds) {
    firsts.push_back(types.size() == 1 ? 0 : types.size());
    for (size_t i = 0; i < types.size() && types.size() > 1; ++i)
      if (const SampleLayout layout = sample_layout(chunk, types[i], true); layout.type != nullptr)
        asked.push_back({firsts.size() - 1, i, layout.type->id});
  }
  auto walk = chunk.events();
  for (Event event; !asked.empty() && walk.next(event);) {
    const auto met = [&](const Asked& each) { return each.id == event.type_id; };
    if (std::ranges::none_of(asked, met)) continue;
    for (const Asked& each : asked)
      if (met(each)) firsts[each.kind] = std::min(firsts[each.kind], each.place);
    // Nothing behind the first can change it.
    std::erase_if(asked, [&](const Asked& each) { return each.place >= firsts[each.kind]; });
  }
  return firsts;
}

std::string words_of(const ChosenSamples& chosen) {
  const SampleKind::Types& types = chosen.types;
  if (types.size() == 2) return fmt::format("{} and {}", types[0], types[1]);
  return types.size() == 1 ? chosen.event_type : fmt::format("{} and {} more", chosen.event_type, types.size() - 1);
}

std::vector<ChosenSamples> chosen_in(Chunk& chunk, std::span<const ChosenSamples> kinds) {
  std::vector<ChosenSamples> chosen(kinds.begin(), kinds.end());
  std::vector<SampleKind::Types> types;
  for (const ChosenSamples& kind : kinds) {
    types.push_back({kind.types.front()});  // of one type nobody looks for events
    if (!has_others(chunk, kind)) continue;
    types.back() = kind.types;
    for (const SampleKind::Types& other : kind.others)
      types.back().insert(types.back().end(), other.begin(), other.end());
  }
  const std::vector<size_t> firsts = first_with_events(chunk, types);
  for (size_t i = 0; i < chosen.size(); ++i) {
    size_t begin = chosen[i].types.size();
    for (const SampleKind::Types& other : kinds[i].others) {
      if (firsts[i] >= begin && firsts[i] < begin + other.size())
        chosen[i].types = other, chosen[i].event_type = other.front();
      begin += other.size();
    }
  }
  return chosen;
}

}  // namespace jrec
