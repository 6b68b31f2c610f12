// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/flame.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "jrec/base/escape.h"
#include "jrec/flame/flame_diff.h"
#include "jrec/flame/flame_page.h"
#include "jrec/flame/page_data.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_census.h"

namespace jrec {
namespace {

constexpr std::string_view kTitlePlace = "{{title}}";
constexpr std::string_view kDataPlace = "{{data}}";
constexpr uint32_t kStripBuckets = 600;

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

ExitCode write_page(const FlameOptions& options, const FlameData& data, ExitCode code, Output& out) {
  if (code == kNothingReadable || code == kUsageError) return code;
  const std::string title = options.title.empty() ? name_of(options.file) : options.title;
  if (options.out.empty() || options.out == "-") {
    append_flame_page(data, title, out.text());
    return code;
  }
  OutputFile file(options.out);
  Output page(file.fd());
  append_flame_page(data, title, page.text());
  if (file.fd() >= 0 && page.flush() && file.commit()) return code;
  complain(options.out,
           base::Error{base::ErrorCode::kSystem, 0, std::string("cannot write: ") + std::strerror(errno), errno});
  return kOutputFailed;
}

ExitCode flame_of_one(const FlameOptions& options, Output& out) {
  Recording recording(options.file, times_of(options.profile.filter, options.profile.event));
  if (!recording.open()) return recording.finish();
  SamplePass pass(recording, options.profile);
  const SampleStream& stream = pass.stream();
  FlameTimeline timeline =
      options.heatmap ? FlameTimeline::heatmap(stream, options.rows) : FlameTimeline::strip(stream, kStripBuckets);
  pass.read([&](const SampleChunk& chunk) { timeline.add(chunk); });
  timeline.finish();
  FlameData data{&stream.tree(),   stream.event_type(), stream.unit(), stream.start_ns(), stream.duration_ns(),
                 stream.samples(), stream.truncated(),  &timeline,     &stream.threads(), options.heatmap};
  if (stream.samples() == 0) data.note = tell_no_samples(recording, options.profile, options.profile.event);
  return write_page(options, data, recording.finish(), out);
}

ExitCode flame_of_two(const FlameOptions& options, Output& out) {
  const TimeChoice times = times_of(options.profile.filter, options.profile.event);
  Recording first(options.before, times), second(options.file, times);
  if (!first.open()) return first.finish();
  if (!second.open()) return second.finish();
  const Profile before = read_profile(first, options.profile), after = read_profile(second, options.profile);
  std::string note;
  if (before.samples == 0) note = tell_no_samples(first, options.profile, options.profile.event);
  if (after.samples == 0) note = tell_no_samples(second, options.profile, options.profile.event);
  const ExitCode codes[] = {first.finish(), second.finish()};
  const ExitCode code = std::max(codes[0], codes[1]);
  const MergedTrees merged = merge_trees(before.tree, after.tree);
  FlameData data{&merged.tree,      after.event_type, after.unit,     after.start_ns,
                 after.duration_ns, after.samples,    after.truncated};
  data.before = &merged.before;
  data.before_name = name_of(options.before);
  if (merged.tree.total() == 0) data.note = note;
  return write_page(options, data, code, out);
}

std::string json_of(const FlameData& data) {
  std::string json;
  append_flame_data(data, json);
  return json;
}

}  // namespace

void append_flame_page(const FlameData& data, const std::string& title, std::string& out) {
  std::string_view page = kFlamePage;
  while (!page.empty()) {
    const size_t at_title = page.find(kTitlePlace), at_data = page.find(kDataPlace);
    const size_t at = std::min(at_title, at_data);
    out += page.substr(0, at);
    if (at == std::string_view::npos) return;
    if (at == at_title)
      append_html(plain(title), out);
    else
      append_page_data(json_of(data), out);
    page.remove_prefix(at + (at == at_title ? kTitlePlace : kDataPlace).size());
  }
}

ExitCode run_flame(const FlameOptions& options, Output& out) {
  if (options.out.empty() && out.is_terminal()) {
    complain(options.file, base::Error{base::ErrorCode::kUsage, 0,
                                       "a page is for a browser, and this is a terminal; -o FILE.html says where to, "
                                       "-o - that it is to be here"});
    return kUsageError;
  }
  return options.before.empty() ? flame_of_one(options, out) : flame_of_two(options, out);
}

}  // namespace jrec
