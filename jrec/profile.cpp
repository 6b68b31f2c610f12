// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile.h"

#include <algorithm>
#include <unordered_map>

#include "format/reader/key_hash.h"
#include "format/reader/values.h"
#include "jrec/frame_names.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Type;

struct Weight {
  uint64_t weight = 0;
  uint64_t samples = 0;
};

// What to read of an event: indexes of its fields, -1 where it has none.
struct Layout {
  const Type* type = nullptr;
  int stack = -1;
  int weight = -1;
  int failed = -1;
  int last = -1;  // no field behind this one is needed
};

struct ShortName {
  std::string_view name;
  std::vector<std::string_view> types;
};

const std::vector<ShortName>& short_names() {
  static const std::vector<ShortName> kNames = {
      {"cpu", {"jdk.ExecutionSample", "jdk.CPUTimeSample"}},
      {"execution", {"jdk.ExecutionSample"}},
      {"cputime", {"jdk.CPUTimeSample"}},
      {"native", {"jdk.NativeMethodSample"}},
      {"wall", {"profiler.WallClockSample"}},
      {"alloc", {"jdk.ObjectAllocationSample", "jdk.ObjectAllocationInNewTLAB"}},
      {"lock", {"jdk.JavaMonitorEnter"}},
  };
  return kNames;
}

// The field that says how much an event stands for.
std::string_view weight_field(std::string_view event_type) {
  if (event_type == "profiler.WallClockSample") return "samples";
  if (event_type == "jdk.ObjectAllocationInNewTLAB") return "tlabSize";
  if (event_type == "jdk.JavaMonitorEnter") return "duration";
  return "weight";
}

std::string unit_of(std::string_view event_type, bool count_samples) {
  if (count_samples) return "samples";
  if (event_type.starts_with("jdk.ObjectAllocation")) return "bytes";
  return event_type == "jdk.JavaMonitorEnter" ? "ns" : "samples";
}

int integer_field(const Type& type, std::string_view name) {
  const int index = type.field(name);
  if (index < 0) return -1;
  const Field& field = type.fields[static_cast<size_t>(index)];
  return !field.array && !field.constant && is_integer(field.kind) ? index : -1;
}

Layout layout_of(const Chunk& chunk, std::string_view event_type, bool count_samples) {
  Layout layout;
  const Type* type = chunk.metadata().find(event_type);
  if (type == nullptr || !type->decodable()) return layout;
  layout.stack = type->field("stackTrace");
  if (layout.stack >= 0) {
    const Field& stack = type->fields[static_cast<size_t>(layout.stack)];
    if (!stack.constant || stack.array) layout.stack = -1;
  }
  if (layout.stack < 0) return layout;
  layout.type = type;
  if (!count_samples) layout.weight = integer_field(*type, weight_field(event_type));
  layout.failed = integer_field(*type, "failed");
  layout.last = std::max({layout.stack, layout.weight, layout.failed});
  return layout;
}

using Weights = std::unordered_map<uint64_t, Weight, jfr::read::KeyHash>;  // by key of the stack

void add_event(Chunk& chunk, const Event& event, const Layout& layout, Weights& weights) {
  Cursor in = chunk.body(event);
  uint64_t stack = 0;
  int64_t weight = 1, failed = 0;
  for (int i = 0; i <= layout.last; ++i) {
    const Field& field = layout.type->fields[static_cast<size_t>(i)];
    if (i == layout.stack)
      stack = in.leb();
    else if (i == layout.weight)
      weight = read_integer(in, field.kind);
    else if (i == layout.failed)
      failed = read_integer(in, field.kind);
    else
      skip_field(in, chunk.metadata(), field);
  }
  if (!in.ok()) {
    chunk.problems().add(jfr::Error{jfr::ErrorCode::kCorrupt, chunk.offset_in_file() + event.at,
                                    std::string(layout.type->name) + " cannot be decoded, it is left out"});
    return;
  }
  if (failed != 0 || weight < 0) return;
  if (layout.type->name == "jdk.JavaMonitorEnter" && layout.weight >= 0) weight = chunk.clock().span_ns(weight);
  Weight& sum = weights[stack];
  sum.weight += static_cast<uint64_t>(weight);
  ++sum.samples;
}

void merge(Chunk& chunk, const Weights& weights, const ProfileOptions& options, Profile& profile) {
  FrameNames names(chunk, profile.tree);
  const Frame no_stack[] = {{profile.tree.intern("[no stack]"), FrameKind::kOther}};
  std::vector<Frame> marked;
  // By key, and not in the order of the table: equal input gives equal output.
  std::vector<std::pair<uint64_t, Weight>> ordered(weights.begin(), weights.end());
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, weight] : ordered) {
    bool truncated = false;
    const std::vector<Frame>& frames = names.stack(key, truncated);
    profile.samples += weight.samples;
    if (frames.empty()) profile.without_stack += weight.samples;
    if (truncated) profile.truncated += weight.samples;
    if (truncated && options.mark_truncated) {
      marked.assign(1, {profile.tree.intern("[truncated]"), FrameKind::kOther});
      marked.insert(marked.end(), frames.begin(), frames.end());
      profile.tree.add(marked, weight.weight);
    } else {
      profile.tree.add(frames.empty() ? std::span<const Frame>(no_stack) : std::span<const Frame>(frames),
                       weight.weight);
    }
  }
}

}  // namespace

std::vector<std::string_view> event_types_for(std::string_view name) {
  for (const ShortName& known : short_names())
    if (known.name == name) return known.types;
  return {name};
}

Profile read_profile(Recording& recording, const ProfileOptions& options) {
  const std::vector<std::string_view> candidates = event_types_for(options.event);
  std::vector<Profile> profiles(candidates.size());
  Profile span;
  recording.each_chunk([&](Chunk& chunk) {
    if (recording.chunks() == 1) span.start_ns = chunk.header().start_ns;
    span.duration_ns += static_cast<uint64_t>(chunk.header().duration_ns);
    std::vector<Layout> layouts;
    for (const std::string_view type : candidates) layouts.push_back(layout_of(chunk, type, options.count_samples));
    std::vector<Weights> weights(candidates.size());
    auto walk = chunk.events();
    for (Event event; walk.next(event);)
      for (size_t i = 0; i < layouts.size(); ++i)
        if (layouts[i].type != nullptr && layouts[i].type->id == event.type_id)
          add_event(chunk, event, layouts[i], weights[i]);
    for (size_t i = 0; i < candidates.size(); ++i)
      if (!weights[i].empty()) merge(chunk, weights[i], options, profiles[i]);
  });
  size_t chosen = 0;
  while (chosen + 1 < profiles.size() && profiles[chosen].samples == 0) ++chosen;
  if (profiles[chosen].samples == 0) chosen = 0;
  Profile profile = std::move(profiles[chosen]);
  profile.event_type = candidates[chosen];
  profile.unit = unit_of(profile.event_type, options.count_samples);
  profile.start_ns = span.start_ns;
  profile.duration_ns = span.duration_ns;
  return profile;
}

}  // namespace jrec
