// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/find.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/redact.h"
#include "jrec/findings/gather.h"
#include "jrec/findings/rule.h"
#include "jrec/profile/chunk_samples.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

// CPU time and allocations, of whatever each JVM or profiler writes.
class SampledKinds {
 public:
  void take(jfr::read::Chunk& chunk, const Filter& filter) {
    std::vector<ChunkSamples> parts = read_chunk_samples(chunk, chosen_, filter, {}, SampleDetail::kSums);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].count == 0) continue;
      const WeightUnit::Factors factors = weights_[i].meet(parts[i].weight_ns);
      gathered_[i].scale(factors.tree);
      parts[i].scale(factors.part);
      gathered_[i].add(parts[i]);
    }
  }

  SampledFacts cpu() { return settled(0); }
  SampledFacts allocation() { return settled(1); }

 private:
  SampledFacts settled(size_t kind) {
    SampledFacts& facts = gathered_[kind];
    if (facts.samples == 0) return {};
    facts.unit = weights_[kind].is_time() ? "ns" : weight_unit(facts.event_type, false);
    return std::move(facts);
  }

  const std::array<ChosenSamples, 2> chosen_ = {chosen_samples(sample_kind("cpu")),
                                                chosen_samples(sample_kind("alloc"))};
  std::array<SampledFacts, 2> gathered_;
  std::array<WeightUnit, 2> weights_;
};

// Of a chunk that is cut the header tells more than there is.
int64_t end_of(jfr::read::Chunk& chunk) {
  const jfr::read::ChunkHeader& header = chunk.header();
  if (chunk.whole()) return header.end_ns();
  int64_t end_ns = header.start_ns;
  jfr::read::EventWalk walk = chunk.events();
  for (jfr::read::Event event; walk.next(event);) {
    const uint32_t index = chunk.metadata().index_of(event.type_id);
    if (index == jfr::read::kNoType) continue;
    const jfr::read::Type& type = chunk.metadata().types()[index];
    const int start = type.field("startTime");
    if (!type.event || start < 0) continue;
    jfr::read::Cursor in = chunk.field(event, type, start);
    const auto ticks = static_cast<int64_t>(in.leb());
    if (in.ok()) end_ns = std::max(end_ns, chunk.clock().unix_ns(ticks));
  }
  return std::min(end_ns, header.end_ns());
}

void gather(Recording& recording, const Filter& filter, Facts& facts) {
  const RecordingSpan span = recording.span();
  facts.start_ns = std::max(span.start_ns, recording.range().from_ns);
  const int64_t end_ns = std::min(span.end_ns, recording.range().to_ns);
  const TimeRange looked_at{facts.start_ns, end_ns};
  SampledKinds kinds;
  std::vector<TimeRange> recorded;
  std::map<uint32_t, std::vector<TimeRange>> by_jvm;  // two recorders' chunks of one may lie over each other
  recording.each_chunk([&](jfr::read::Chunk& chunk) {
    recorded.push_back({chunk.header().start_ns, end_of(chunk)});
    kinds.take(chunk, filter);
    gather_events(chunk, filter, facts);
    by_jvm[facts.jvm].push_back(recorded.back());
  });
  for (auto& [jvm, its] : by_jvm) {
    const int64_t told_from_ns = facts.machine.empty_loads.told_from_ns(jvm).value_or(facts.start_ns);
    facts.machine.told_ns += covered_ns(its, {std::max(told_from_ns, facts.start_ns), end_ns});
    facts.jvms_ns += covered_ns(std::move(its), looked_at);
  }
  facts.duration_ns = covered_ns(std::move(recorded), looked_at);
  facts.cpu = kinds.cpu();
  facts.allocation = kinds.allocation();
  facts.work.emplace(facts.cpu);
  facts.waits.owners.settle();
}

void judge(const Facts& facts, const FindingOptions& options, const std::string& file, Findings& findings) {
  const CommandEnd end = command_end(file, options.filter);
  for (const Rule& rule : all_rules()) {
    const auto asked = options.threshold.find(std::string(rule.name));
    Verdict verdict(rule, asked == options.threshold.end() ? rule.threshold : asked->second, end, findings);
    rule.judge(facts, verdict);
    if (verdict.silent()) findings.fine.emplace_back(rule.name);
  }
  std::ranges::stable_sort(findings.found, std::ranges::greater(), &Finding::severity);
}

}  // namespace

base::Status add_threshold(const std::string& words, FindingOptions& options) {
  const size_t at = std::min(words.find('='), words.size());
  const std::string name = words.substr(0, at);
  std::vector<std::string> names;
  for (const Rule& rule : all_rules()) names.emplace_back(rule.name);
  if (std::ranges::find(names, name) == names.end()) {
    const std::string near = base::nearest(name, names);
    return base::Error{base::ErrorCode::kUsage, 0,
                       fmt::format("there is no rule '{}'{}", name,
                                   near.empty() ? "; --list-rules shows them" : "; did you mean " + near + "?")};
  }
  double value = 0;
  const char* const end = words.data() + words.size();
  const char* const number = words.data() + std::min(at + 1, words.size());
  const auto [stop, wrong] = std::from_chars(number, end, value);
  if (wrong != std::errc() || stop != end || !std::isfinite(value) || value < 0)
    return base::Error{base::ErrorCode::kUsage, 0,
                       fmt::format("'{}' needs a number that is not negative, as in {}=10", words, name)};
  options.threshold[name] = value;
  return base::Done();
}

Findings findings_of(Recording& recording, const FindingOptions& options) {
  Findings findings;
  const base::Result<Filter> filter = Filter::compile(options.filter, recording.range());
  if (!filter) return recording.refuse(filter.error()), findings;
  Facts facts;
  gather(recording, *filter, facts);
  findings.start_ns = facts.start_ns;
  findings.duration_ns = facts.duration_ns;
  findings.utc_offset_s = recording.span().utc_offset_s;
  findings.recorded_twice = recording.recorded_twice().sentences();
  judge(facts, options, base::redact_userinfo(recording.path()), findings);
  return findings;
}

}  // namespace jrec
