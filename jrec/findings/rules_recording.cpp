// SPDX-License-Identifier: Apache-2.0
// What the recording itself lacks: how far the other findings can be trusted.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/columns.h"
#include "jrec/findings/loss_shares.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"
#include "jrec/profile/sample_kind.h"

namespace jrec {
namespace {

// Two of 30 are no share of anything: a JVM's beginning and end lose that.
constexpr uint64_t kEnoughDue = 200, kEnoughLost = 10;
bool are_enough(const LossShare& share) { return share.due >= kEnoughDue || share.lost >= kEnoughLost; }

void judge_lost_samples(const Facts& facts, Verdict& verdict) {
  const std::vector<LossShare> shares = loss_shares(facts);
  if (std::ranges::all_of(shares, [](const LossShare& share) { return share.due == 0; }) &&
      facts.cpu.samples + facts.allocation.samples == 0)
    return verdict.unjudged("there are no samples");
  for (const LossShare& share : shares) {
    if (share.lost == 0 || share.percent() < verdict.threshold() || !are_enough(share)) continue;
    const std::string cause =
        share.cause.empty() ? "" : fmt::format(", {} of them because of {}", share.of_cause, share.cause);
    Finding& finding = verdict.found(
        Severity::kWarning, share.percent(),
        fmt::format("{} of the {} are missing", percent_words(share.percent()), share.what),
        fmt::format("{} of {} could not be recorded{}. What is missing is not spread evenly: shares may be wrong by "
                    "as much.",
                    share.lost, share.due, cause));
    if (!share.cause.empty()) finding.evidence.push_back({"cause", share.cause});
    finding.command = verdict.command_at_any_time("view losses");
  }
  const auto few =
      std::ranges::find_if(shares, [](const LossShare& share) { return share.lost != 0 && !are_enough(share); });
  if (few != shares.end() && verdict.silent())
    verdict.unjudged(fmt::format("{} of {} {} are missing, and this needs {}, or {} that are missing", few->lost,
                                 few->due, few->what, kEnoughDue, kEnoughLost));
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

// What keeps more frames than that; empty: nothing does.
std::string deeper_words(uint64_t frames, bool is_of_rec) {
  constexpr uint64_t kMostOfJfr = 2048, kMostOfRec = 8192;
  if (frames < kMostOfJfr) return fmt::format(" A larger stackdepth keeps more: JFR and rec take {}.", kMostOfJfr);
  if (is_of_rec && frames < kMostOfRec)
    return fmt::format(" A larger stackdepth keeps more: rec takes {}.", kMostOfRec);
  return "";
}

void judge_truncated(const Facts& facts, Verdict& verdict) {
  constexpr uint64_t kEnough = 50;
  if (facts.cpu.samples < kEnough) return verdict.unjudged(too_few(facts.cpu.samples, "samples of CPU time", kEnough));
  const double share = percent(facts.cpu.truncated, facts.cpu.samples);
  if (facts.cpu.truncated == 0 || share < verdict.threshold()) return;
  Finding& finding = verdict.found(
      Severity::kNote, share, fmt::format("{} of the stacks are cut", percent_words(share)),
      fmt::format(
          "They have {} frames at most, and their outer ones are missing, so totals of methods near the start of "
          "a thread are too low.{}",
          count_words(static_cast<double>(facts.cpu.longest_cut)),
          deeper_words(facts.cpu.longest_cut, facts.is_of_rec)));
  finding.evidence.push_back({"frames", std::to_string(facts.cpu.longest_cut)});
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
