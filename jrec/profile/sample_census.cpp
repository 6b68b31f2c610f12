// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_census.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/profile/chunk_samples.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/select/event_names.h"
#include "jrec/select/known_events.h"
#include "jrec/select/unmatched_words.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;

constexpr size_t kMostTypes = 5;  // that have no short name

// How many events there are of each type that has stacks; with none, of those that are declared.
struct Census {
  std::map<std::string, uint64_t, std::less<>> events;
  std::shared_ptr<LiveBatches> live = std::make_shared<LiveBatches>();

  bool has(std::string_view type) const {
    const auto found = events.find(type);
    return found != events.end() && found->second != 0;
  }
};

Census census_of(Recording& recording) {
  Census census;
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      std::map<uint64_t, uint64_t*> counts;
      for (const jfr::read::Type& type : chunk.metadata().types())
        if (has_stacks(chunk, type)) counts[type.id] = &census.events[std::string(type.name)];
      auto walk = chunk.events();
      for (Event event; walk.next(event);)
        if (const auto found = counts.find(event.type_id); found != counts.end()) ++*found->second;
      census.live->note(last_live_batch(chunk, {}));
    });
  });
  return census;
}

std::string counted(std::string_view name, uint64_t events) { return fmt::format("{} ({})", name, events); }

// What a short name would show; nothing where there are no such events.
std::optional<ChosenSamples> chosen_by(std::string_view name, const Census& census) {
  const SampleKind kind = sample_kind(name);
  const SampleKind::Types types = kind.all_types();
  const auto first = std::find_if(types.begin(), types.end(), [&](std::string_view type) { return census.has(type); });
  if (first == types.end()) return std::nullopt;
  ChosenSamples chosen = chosen_samples(kind, static_cast<size_t>(first - types.begin()));
  if (std::find(types.begin(), types.end(), kLiveType) != types.end()) chosen.live = census.live;
  return chosen;
}

// How many events each of these shows, as those who show them count.
std::vector<uint64_t> events_of(Recording& recording, const std::vector<ChosenSamples>& chosen) {
  std::vector<uint64_t> events(chosen.size());
  recording.unsaid([&] {
    recording.each_part(
        [&](Chunk& chunk) { return read_chunk_samples(chunk, chosen, Filter(), {}, SampleDetail::kSums); },
        [&](std::vector<ChunkSamples>&& parts) {
          for (size_t i = 0; i < parts.size(); ++i) events[i] += parts[i].count;
          return true;
        });
  });
  return events;
}

// Short names first; one whose types all have another one in front of it adds nothing.
std::string text_of(Recording& recording, const Census& census) {
  std::vector<std::string_view> names;
  std::vector<ChosenSamples> chosen;
  std::set<std::string_view> named;
  for (const EventName& name : event_names()) {
    if (!name.has_stacks) continue;
    const std::optional<ChosenSamples> its = chosen_by(name.name, census);
    bool adds = false;
    for (size_t i = 0; its && i < its->types.size(); ++i)
      if (census.has(its->types[i])) adds |= named.insert(its->types[i]).second;
    if (adds) names.push_back(name.name), chosen.push_back(*its);
  }
  std::vector<std::string> texts;
  const std::vector<uint64_t> shown = events_of(recording, chosen);
  for (size_t i = 0; i < names.size(); ++i)
    if (shown[i] != 0) texts.push_back(counted(names[i], shown[i]));
  std::vector<std::pair<uint64_t, std::string_view>> others;
  for (const auto& [type, events] : census.events)
    if (events != 0 && !named.contains(type)) others.emplace_back(events, type);
  std::ranges::sort(others, std::ranges::greater());
  if (others.size() > kMostTypes) others.resize(kMostTypes);
  for (const auto& [events, type] : others) texts.push_back(counted(type, events));
  return joined(texts, ", ");
}

std::string what_there_is(Recording& recording, const Census& census) {
  const std::string there = text_of(recording, census);
  return there.empty() ? "no event of the recording has a stack" : fmt::format("there are {}", there);
}

// The kind of that name, or that a type is of; null: there is none.
const EventName* kind_of(std::string_view kind) {
  const auto found = std::ranges::find_if(event_names(), [&](const EventName& name) {
    return name.name == kind || std::ranges::find(name.types, kind) != name.types.end();
  });
  return found == event_names().end() ? nullptr : &*found;
}

bool declares(Recording& recording, const std::string& kind) {
  bool found = false, any = false;
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      any |= !chunk.metadata().types().empty();
      found = std::ranges::any_of(event_types_for(kind), [&](std::string_view name) {
        const jfr::read::Type* type = chunk.metadata().find(name);
        return type != nullptr && has_stacks(chunk, *type);
      });
      return !found;
    });
  });
  return found || !any;  // where nothing can be read, the reading says so
}

}  // namespace

base::Status known_kind(Recording& recording, const std::string& kind) {
  const EventName* const known = kind_of(kind);
  if ((known != nullptr && known->has_stacks) || declares(recording, kind)) return base::Done{};
  if (known != nullptr)
    return base::Error{base::ErrorCode::kUsage, 0,
                       fmt::format("--event: events of '{}' have no stacks; jrec print -e {} shows them", kind, kind)};
  const Census census = census_of(recording);
  std::set<std::string> names;
  for (const EventName& name : event_names())
    if (std::ranges::any_of(name.types, [&](std::string_view type) { return census.events.contains(type); }))
      names.emplace(name.name);
  for (const auto& [type, events] : census.events) names.insert(type);
  const std::string near = did_you_mean(kind, names);
  return base::Error{base::ErrorCode::kUsage, 0,
                     fmt::format("--event: '{}' is neither a kind of samples nor a type of this recording that has "
                                 "stacks{}{} {}",
                                 kind, near, near.empty() ? ";" : "", what_there_is(recording, census))};
}

std::string tell_no_samples(Recording& recording, const ProfileOptions& options, const std::string& kinds) {
  if (recording.refused() || recording.chunks() == 0) return {};
  const bool filtered = options.filter != FilterOptions() || options.leak;
  const std::string what =
      fmt::format("no samples of {}{} {}{}", kinds, filtered ? " pass the filter; without it" : ";",
                  what_there_is(recording, census_of(recording)), unmatched_words(recording, options.filter));
  complain(recording.path(), {base::ErrorCode::kUsage, 0, what});
  return what;
}

}  // namespace jrec
