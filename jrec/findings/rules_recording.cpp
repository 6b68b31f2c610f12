// SPDX-License-Identifier: Apache-2.0
// What the recording itself lacks: how far the other findings can be trusted.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/columns.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/values/lost_samples.h"

namespace jrec {
namespace {

const std::string kWrittenSamples = "samples";  // in rec.Counters

void judge_lost_samples(const Facts& facts, Verdict& verdict) {
  uint64_t lost = facts.recording.cpu_samples_lost, most = 0;
  std::string cause;
  for (const auto& [name, count] : facts.recording.counters) {
    if (!is_lost_sample(name)) continue;
    lost += count;
    if (count > most) most = count, cause = name;
  }
  // What is lost is told of chunks; so are, by rec, the samples, whatever part of them is looked at.
  const auto counted = facts.recording.counters.find(kWrittenSamples);
  const uint64_t looked_at = facts.cpu.samples + facts.allocation.samples;
  const uint64_t written = std::max(looked_at, counted == facts.recording.counters.end() ? 0 : counted->second);
  if (lost + written == 0) return verdict.unjudged("there are no samples");
  const double share = percent(lost, lost + written);
  if (lost == 0 || share < verdict.threshold()) return;
  Finding& finding = verdict.found(
      Severity::kWarning, share, fmt::format("{} of the samples are missing", percent_words(share)),
      fmt::format("{} could not be recorded{}. What is missing is not spread evenly: shares may be wrong by as much.",
                  lost, cause.empty() ? "" : fmt::format(", {} of them because of {}", most, cause)));
  if (!cause.empty()) finding.evidence.push_back({"cause", cause});
  finding.command = verdict.command_at_any_time("view losses");
}

void judge_lost_events(const Facts& facts, Verdict& verdict) {
  const RecordingFacts& recording = facts.recording;
  if (recording.lost_bytes <= 0 || recording.lost_bytes < verdict.threshold()) return;
  if (!recording.counters.empty()) return;  // rec's: the samples of lost-samples once more, in bytes
  constexpr double kMuch = 1e6;
  Finding& finding =
      verdict.found(recording.lost_bytes < kMuch ? Severity::kNote : Severity::kWarning, recording.lost_bytes,
                    fmt::format("{} of events were lost", size_words(recording.lost_bytes)),
                    "The recorder's buffers were full: counts and times of all other findings are too "
                    "low. Larger buffers (globalbuffersize, memorysize), "
                    "or fewer events, lose none.");
  tell_all_of(recording.losses, finding);
  finding.command = verdict.command("view jdk.DataLoss");
}

void judge_truncated(const Facts& facts, Verdict& verdict) {
  constexpr uint64_t kEnough = 50;
  if (facts.cpu.samples < kEnough) return verdict.unjudged(too_few(facts.cpu.samples, "samples of CPU time", kEnough));
  const double share = percent(facts.cpu.truncated, facts.cpu.samples);
  if (facts.cpu.truncated == 0 || share < verdict.threshold()) return;
  Finding& finding =
      verdict.found(Severity::kNote, share, fmt::format("{} of the stacks are cut", percent_words(share)),
                    "Their outer frames are missing, so totals of methods near the start of a thread are too low. "
                    "JFR's stackdepth=256, or rec's "
                    "stackdepth=2048, keeps them.");
  finding.command = verdict.command("flame -o flame.html -e cpu --mark-truncated");
}

// A recording that is long and has few samples: idle, or not sampled.
void judge_few_samples(const Facts& facts, Verdict& verdict) {
  constexpr double kLong_s = 30;
  if (facts.seconds() < kLong_s || static_cast<double>(facts.cpu.samples) >= verdict.threshold()) return;
  const auto records = [&](std::string_view type) { return facts.records(type); };
  if (facts.cpu.samples == 0 && std::ranges::none_of(sample_kind("cpu").all_types(), records))
    return verdict.unjudged("samples of CPU time were not recorded");
  Finding& finding = verdict.found(
      Severity::kNote, static_cast<double>(facts.cpu.samples),
      facts.cpu.samples == 0 ? "No sample of CPU time" : fmt::format("Only {} samples of CPU time", facts.cpu.samples),
      fmt::format(
          "In {} that is too little to say where CPU time goes: the program was idle, or a shorter interval is needed.",
          time_words(static_cast<double>(facts.duration_ns))));
  finding.command = verdict.command_at_any_time("summary");
}

constexpr Rule kRecordingRules[] = {
    {"lost-samples", 1, "%", "samples that could not be recorded", judge_lost_samples},
    {"lost-events", 1, "bytes", "events that the recorder had no room for", judge_lost_events},
    {"cut-stacks", 5, "%", "samples whose outer frames are missing", judge_truncated},
    {"few-samples", 50, "", "a recording of 30 s or more has fewer samples of CPU time", judge_few_samples},
};

}  // namespace

std::span<const Rule> recording_rules() { return kRecordingRules; }

}  // namespace jrec
