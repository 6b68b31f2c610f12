// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/known_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "jrec/base/append_format.h"
#include "jrec/input/recording.h"
#include "jrec/select/glob.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Status;

constexpr size_t kMostListed = 8;
constexpr std::string_view kUncategorized = "Uncategorized";

// All of them where they are few.
std::string those_there_are(const std::set<std::string>& names, const char* what) {
  if (names.empty()) return fmt::format("; it has no {}", what);
  if (names.size() > kMostListed)
    return fmt::format("; it has {} {}, and jrec summary or jrec metadata shows them", names.size(), what);
  return fmt::format("; it has {}", joined(std::vector<std::string>(names.begin(), names.end()), ", "));
}

template <typename Matches>
Status all_known(std::string_view option, std::string_view list, const std::set<std::string>& names, const char* what,
                 Matches matches) {
  for (const std::string& pattern : patterns_of(list)) {
    const EventFilter filter(pattern);
    if (std::ranges::any_of(names, [&](const std::string& name) { return matches(filter, name); })) continue;
    const std::string near = did_you_mean(pattern, names);
    return Error{ErrorCode::kUsage, 0,
                 fmt::format("{}: the recording has nothing of the name '{}'{}", option, pattern,
                             near.empty() ? those_there_are(names, what) : near)};
  }
  return base::Done{};
}

}  // namespace

std::vector<std::string> patterns_of(std::string_view list) {
  std::vector<std::string> patterns;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (comma != 0) patterns.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return patterns;
}

std::string did_you_mean(std::string_view name, const std::set<std::string>& known) {
  std::vector<std::string> wholes(known.begin(), known.end()), ends;
  for (const std::string& each : wholes) ends.push_back(each.substr(each.rfind('.') + 1));
  std::string near = base::nearest(name, ends);
  if (!near.empty()) near = wholes[static_cast<size_t>(std::ranges::find(ends, near) - ends.begin())];
  if (near.empty() || name.find('.') != std::string_view::npos)
    if (const std::string whole = base::nearest(name, wholes); !whole.empty()) near = whole;
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

void KnownEvents::meet(const jfr::read::Metadata& metadata) {
  for (const jfr::read::Type& type : metadata.types()) {
    if (!type.event) continue;
    types_.emplace(type.name);
    const jfr::read::Annotation* category = type.annotation("jdk.jfr.Category");
    if (category == nullptr) categories_.emplace(kUncategorized);
    if (category != nullptr)
      for (const auto& [key, name] : category->members) categories_.emplace(name);
  }
}

Status KnownEvents::types(std::string_view option, std::string_view patterns) const {
  return all_known(option, patterns, types_, "event types",
                   [](const EventFilter& filter, const std::string& name) { return filter.matches(name); });
}

Status KnownEvents::categories(std::string_view option, std::string_view patterns) const {
  return all_known(option, patterns, categories_, "categories",
                   [](const EventFilter& filter, const std::string& name) { return filter.matches_whole(name); });
}

Status known_events(Recording& recording, const FilterOptions& options, std::string_view events,
                    std::string_view categories) {
  if (options.events.empty() && options.categories.empty()) return base::Done{};
  KnownEvents known;
  const auto verdict = [&]() -> Status {
    const Status types = known.types(events, options.events);
    return types ? known.categories(categories, options.categories) : types;
  };
  bool any = false;
  recording.unsaid([&] {
    recording.each_chunk([&](jfr::read::Chunk& chunk) {
      any |= !chunk.metadata().types().empty();
      known.meet(chunk.metadata());
      return !verdict().ok();
    });
  });
  if (!any) return base::Done{};  // nothing can be read: whoever reads it says so
  return verdict();
}

}  // namespace jrec
