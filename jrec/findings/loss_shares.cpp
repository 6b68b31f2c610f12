// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/loss_shares.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "jrec/base/columns.h"
#include "jrec/values/lost_samples.h"

namespace jrec {
namespace {

// Of rec's counters those that count a kind, and those that count its losses. With most kinds a loss is not among the written.
struct CountedKind {
  std::string_view what;
  std::array<std::string_view, 4> written, lost;  // empty: none
  bool holds_lost = false;                        // the written are all that were due
};

constexpr CountedKind kCountedKinds[] = {
    {"sampled allocations", {"allocations"}, {"allocationsLost"}},
    {"waits for locks", {"lockWaits"}, {"lockWaitsLost"}},
    {"sampled allocations of native memory", {"mallocs"}, {"mallocsLost", "mallocsUnfollowed"}},
    {"ends of sampled native memory", {"frees"}, {"freesLost"}},
    {"exceptions", {"exceptions"}, {"exceptionsLost"}, true},
    {"spans", {"spans"}, {"spansLost"}},
    {"stacks of allocations, waits and exceptions",
     {"allocations", "lockWaits", "mallocs", "exceptionsWritten"},
     {"stacksLost"},
     true},
};

using Counters = std::map<std::string, uint64_t>;

uint64_t count_of(const Counters& counters, std::string_view cause) {
  const auto found = counters.find(std::string(cause));
  return found == counters.end() ? 0 : found->second;
}

void add_loss(LossShare& share, std::string_view cause, uint64_t count) {
  share.lost += count;
  if (count > share.of_cause) share.cause = cause, share.of_cause = count;
}

LossShare share_of(const CountedKind& kind, const Counters& counters) {
  LossShare share{.what = std::string(kind.what)};
  for (const std::string_view cause : kind.lost) add_loss(share, cause, count_of(counters, cause));
  for (const std::string_view name : kind.written) share.due += count_of(counters, name);
  share.due = kind.holds_lost ? std::max(share.due, share.lost) : share.due + share.lost;
  return share;
}

bool is_of_other_kind(std::string_view cause) {
  return std::ranges::any_of(
      kCountedKinds, [&](const CountedKind& kind) { return std::ranges::find(kind.lost, cause) != kind.lost.end(); });
}

// What clocks sample, of CPU time and of all time. What is lost is told of chunks; so are, by rec, the samples, whatever part
// of them is looked at.
LossShare share_of_clocks(const Facts& facts) {
  LossShare share{.what = "samples"};
  const Counters& counters = facts.recording.counters;
  for (const auto& [cause, count] : counters)
    if (is_lost_sample(cause) && !is_of_other_kind(cause)) add_loss(share, cause, count);
  const auto counted = counters.find("samples");
  share.due = share.lost + (counted == counters.end() ? facts.cpu.samples : counted->second);
  return share;
}

}  // namespace

double LossShare::percent() const { return jrec::percent(lost, due); }

std::vector<LossShare> loss_shares(const Facts& facts) {
  const RecordingFacts& recording = facts.recording;
  std::vector<LossShare> shares;
  if (recording.cpu_samples_taken + recording.cpu_samples_lost != 0)
    shares.push_back({.what = "samples of CPU time",
                      .lost = recording.cpu_samples_lost,
                      .due = recording.cpu_samples_taken + recording.cpu_samples_lost});
  if (recording.counters.empty()) return shares;
  shares.push_back(share_of_clocks(facts));
  for (const CountedKind& kind : kCountedKinds) shares.push_back(share_of(kind, recording.counters));
  return shares;
}

}  // namespace jrec
