// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/flame.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "jrec/flame/flame_diff.h"
#include "jrec/flame/flame_page.h"
#include "jrec/flame/folded_tree.h"
#include "jrec/flame/page.h"
#include "jrec/profile/compared_clocks.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_census.h"

namespace jrec {
namespace {

constexpr uint32_t kStripBuckets = 600;

ExitCode write_page(const FlameOptions& options, const FlameData& data, ExitCode code, Output& out) {
  if (code == kNothingReadable || code == kUsageError) return code;
  const std::string title = options.title.empty() ? name_of_path(Recording::name_of(options.files)) : options.title;
  std::string json;
  append_flame_data(data, json);
  return PageFile{options.out, Recording::name_of(options.files)}.write(kFlamePage, title, json, code, out);
}

ExitCode flame_of_one(const FlameOptions& options, Output& out) {
  Recording recording(options.files, times_of(options.profile.filter, options.profile.event));
  if (!recording.open()) return recording.finish();
  SamplePass pass(recording, options.profile);
  const SampleStream& stream = pass.stream();
  const TimeRange shown = pass.chosen_time();
  FlameTimeline timeline = options.heatmap ? FlameTimeline::heatmap(shown, options.rows, stream.passes_time())
                                           : FlameTimeline::strip(shown, kStripBuckets, stream.passes_time());
  pass.read([&](const SampleChunk& chunk) { timeline.add(chunk); });
  const size_t most_frames = options.frames != 0 ? options.frames : SIZE_MAX;
  const PlacedTree placed = place_on_page(stream.tree(), timeline, most_frames, FlameTimeline::kMaxEntries);
  FlameData data{&placed.folded.tree, &placed.order,          stream.event_types(), stream.unit(),
                 timeline.start_ns(), timeline.duration_ns(), stream.samples(),     stream.truncated(),
                 &timeline,           &stream.threads(),      options.heatmap};
  data.folded = placed.folded.folded;
  data.folded_weight = placed.folded.weight;
  if (stream.samples() == 0) data.note = tell_no_samples(recording, options.profile, options.profile.event);
  return write_page(options, data, recording.finish(), out);
}

// Samples of different intervals are no longer counted.
void bring_to_one_unit(Profile& before, Profile& after) {
  WeightUnit unit;
  unit.meet(before.weight.ns());
  const WeightUnit::Factors factors = unit.meet(after.weight.ns());
  before.tree.scale(factors.tree);
  after.tree.scale(factors.part);
  if (unit.is_time()) after.unit = "ns";
}

void tell_of_clocks(Recording& first, const Profile& before, Recording& second, const Profile& after) {
  if (before.samples == 0 || after.samples == 0) return;
  const std::string words = words_of_clocks({clock_of(first, before.event_type)}, {clock_of(second, after.event_type)});
  if (!words.empty()) complain("flame", {base::ErrorCode::kUsage, 0, words});
}

ExitCode flame_of_two(const FlameOptions& options, Output& out) {
  const TimeChoice times = times_of(options.profile.filter, options.profile.event);
  Recording first(options.before, times), second(options.files, times);
  if (!first.open()) return first.finish();
  if (!second.open()) return second.finish();
  ProfileOptions profile = across_runs(options.profile);
  profile.event = event_of_all({&first, &second}, profile.event);
  Profile before = read_profile(first, profile), after = read_profile(second, profile);
  bring_to_one_unit(before, after);
  tell_of_clocks(first, before, second, after);
  std::string note;
  if (before.samples == 0) note = tell_no_samples(first, options.profile, options.profile.event);
  if (after.samples == 0) note = tell_no_samples(second, options.profile, options.profile.event);
  const ExitCode codes[] = {first.finish(), second.finish()};
  const ExitCode code = std::max(codes[0], codes[1]);
  const MergedTrees merged = merge_trees(before.tree, after.tree);
  const std::vector<PlacedNode> order = in_page_order(merged.tree);
  FlameData data{&merged.tree,      &order,        after.event_types, after.unit, after.start_ns,
                 after.duration_ns, after.samples, after.truncated};
  data.before = &merged.before;
  data.before_name = name_of_path(options.before);
  if (merged.tree.total() == 0) data.note = note;
  return write_page(options, data, code, out);
}

}  // namespace

ExitCode run_flame(const FlameOptions& options, Output& out) {
  if (PageFile{options.out, Recording::name_of(options.files)}.is_refused(out)) return kUsageError;
  return options.before.empty() ? flame_of_one(options, out) : flame_of_two(options, out);
}

}  // namespace jrec
