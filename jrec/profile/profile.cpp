// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/profile.h"

#include <algorithm>

#include "format/reader/key_table.h"
#include "format/reader/values.h"
#include "jrec/profile/frame_names.h"

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

using Weights = jfr::read::KeyTable<Weight>;  // by key of the stack

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
  Weight& sum = weights.find_or_add(stack).first;
  sum.weight += static_cast<uint64_t>(weight);
  ++sum.samples;
}

void add_stacks(Chunk& chunk, const Weights& weights, const ProfileOptions& options, Profile& profile) {
  FrameNames names(chunk, profile.tree, options.frames);
  const Frame no_stack[] = {{profile.tree.intern("[no stack]"), FrameKind::kOther}};
  std::vector<Frame> marked;
  // By key: stacks that came together are alike.
  std::vector<Weights::Entry> ordered(weights.begin(), weights.end());
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
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

// The first of these types that has events; the first of all when none has.
std::string_view choose_type(Recording& recording, const std::vector<std::string_view>& candidates) {
  size_t best = candidates.size();
  if (best == 1) return candidates[0];
  const auto first_present = [&](Chunk& chunk) {
    size_t first = candidates.size();
    std::vector<const Type*> types;
    for (const std::string_view name : candidates) types.push_back(layout_of(chunk, name, true).type);
    auto walk = chunk.events();
    for (Event event; first != 0 && walk.next(event);)
      for (size_t i = 0; i < first; ++i)
        if (types[i] != nullptr && types[i]->id == event.type_id) first = i;
    return first;
  };
  recording.survey(first_present, [&](size_t first) { best = std::min(best, first); });
  return candidates[best == candidates.size() ? 0 : best];
}

// One chunk, by itself.
Profile profile_of(Chunk& chunk, std::string_view event_type, const Filter& filter, const ProfileOptions& options) {
  Profile profile;
  profile.start_ns = chunk.header().start_ns;
  profile.duration_ns = static_cast<uint64_t>(chunk.header().duration_ns);
  const Layout layout = layout_of(chunk, event_type, options.count_samples);
  if (layout.type == nullptr) return profile;
  Weights weights;
  ChunkFilter wanted(filter, chunk, chunk.clock());
  auto walk = chunk.events();
  for (Event event; walk.next(event);)
    if (layout.type->id == event.type_id && wanted.matches(event, *layout.type))
      add_event(chunk, event, layout, weights);
  if (!weights.empty()) add_stacks(chunk, weights, options, profile);
  return profile;
}

void append(Profile& whole, Profile&& part) {
  whole.samples += part.samples;
  whole.truncated += part.truncated;
  whole.without_stack += part.without_stack;
  whole.duration_ns += part.duration_ns;
  if (whole.tree.nodes().size() == 1)
    whole.tree = std::move(part.tree);
  else
    whole.tree.add(part.tree);
}

}  // namespace

Profile read_profile(Recording& recording, const ProfileOptions& options) {
  Profile whole;
  jfr::Result<Filter> filter = Filter::compile(options.filter, recording.bytes());
  if (!filter) {
    recording.refuse(filter.error());
    return whole;
  }
  whole.event_type = choose_type(recording, event_types_for(options.event));
  whole.unit = unit_of(whole.event_type, options.count_samples);
  recording.each_part([&](Chunk& chunk) { return profile_of(chunk, whole.event_type, *filter, options); },
                      [&](Profile&& part) {
                        if (recording.chunks() == 1) whole.start_ns = part.start_ns;
                        append(whole, std::move(part));
                      });
  tell_unknown_fields(recording, *filter);
  return whole;
}

}  // namespace jrec
