// SPDX-License-Identifier: Apache-2.0
// Platform threads that come and go, and such that come and stay.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/findings/lasting_growth.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"

namespace jrec {
namespace {

using Kind = ThreadKinds::Kind;

constexpr const char* kManyNames = " They have many names.";

void judge_churn(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.ThreadStart") || !verdict.long_enough(facts)) return;
  const bool has_ends = facts.records("jdk.ThreadEnd");
  const ThreadKinds::Most most =
      facts.threads.kinds.most_of(has_ends ? &ThreadKinds::Count::ended : &ThreadKinds::Count::started);
  const uint64_t passing = most.of_all;
  const double rate = static_cast<double>(passing) / facts.jvm_seconds();
  if (passing == 0 || rate < verdict.threshold()) return;
  const Kind* const kind = most.that_explains(static_cast<double>(passing));
  Finding& finding = verdict.found(
      Severity::kWarning, rate,
      fmt::format("{} threads are started each second{}", rate_words(rate), has_ends ? ", and end" : ""),
      fmt::format("{} were started{}{}.{} A pool, or virtual threads, would save the system's work for each.", passing,
                  has_ends ? " and have ended" : "",
                  kind == nullptr ? "" : fmt::format(", {} of them named {}", most.of_kind, kind->first),
                  kind == nullptr ? kManyNames : ""));
  if (kind != nullptr) finding.evidence.push_back({"thread", kind->first});
  finding.command = verdict.command("view thread-start");
}

// Who starts most threads of that kind: empty parts are not known.
Ranking::Key starter_of(const std::string& kind, const ThreadFacts& threads) {
  const Lengths* most = nullptr;
  Ranking::Key starter;
  for (const auto& [key, starts] : threads.starters.rows()) {
    if (key[0] != kind || (most != nullptr && starts.count <= most->count)) continue;
    most = &starts;
    starter = key;
  }
  return starter;
}

std::string staying_words(const Kind& kind, const Ranking::Key& starter) {
  const auto& [name, method, parent] = starter;
  const std::string by = method.empty() ? "" : " by " + method, in = parent.empty() ? "" : " in thread " + parent;
  return fmt::format(" Of those that are named {}, {} were started and {} have ended{}{}{}.", kind.first,
                     kind.second.started, kind.second.ended, by.empty() && in.empty() ? "" : "; most are started", by,
                     in);
}

// Empty where too few are known of so many.
std::string names_words(const ThreadKinds::Most& most, double threads, const Ranking::Key& starter) {
  if (const Kind* const kind = most.that_explains(threads)) return staying_words(*kind, starter);
  return static_cast<double>(most.of_all) * 3 >= threads ? kManyNames : "";
}

// Threads that are alive, over the time behind the start. A pool that is large and has filled up does not grow.
void judge_leak(const Facts& facts, Verdict& verdict) {
  constexpr double kFew = 20;  // a pool that grows as it is used may start them at any time
  if (!verdict.recorded(facts, "jdk.JavaThreadStatistics")) return;
  const LastingGrowth grown = lasting_growth(facts.threads.alive, verdict.threshold());
  if (!grown.is_known())
    return verdict.unjudged(too_few(grown.most_looks, "looks at the number of threads", LastingGrowth::kEnoughLooks));
  const auto& low = grown.thirds.lowest;
  if (!grown.reaches(verdict.threshold()) || low[2] - low[0] < kFew) return;
  const ThreadKinds::Most most = facts.threads.kinds.most_that_stay(grown.jvm, grown.points.front().at_ns);
  const double more = std::max(static_cast<double>(most.of_all), low[2] - low[0]);
  const Kind* const kind = most.that_explains(more);
  const Ranking::Key starter = kind == nullptr ? Ranking::Key() : starter_of(kind->first, facts.threads);
  Finding& finding = verdict.found(
      Severity::kWarning, grown.thirds.growth,
      fmt::format("The number of threads grew by {} all the time: perhaps a leak", percent_words(grown.thirds.growth)),
      fmt::format("There were {:.0f}, then {:.0f}, then {:.0f}, the start left out: threads are started and do not "
                  "end.{}",
                  low[0], low[1], low[2], names_words(most, more, starter)));
  if (kind != nullptr) finding.evidence.push_back({"thread", kind->first});
  if (!starter[1].empty()) finding.evidence.push_back({"method", starter[1]});
  finding.from_ns = grown.points.front().at_ns;
  finding.to_ns = grown.points.back().at_ns;
  finding.command =
      verdict.command(facts.seen.contains("jdk.ThreadStart") ? "view thread-start" : "view jdk.JavaThreadStatistics");
}

constexpr Rule kThreadRules[] = {
    {"thread-churn", 10, "1/s", "platform threads that are started each second and end", judge_churn},
    {"thread-leak", 20, "%", "growth of the number of threads, the start left out", judge_leak},
};

}  // namespace

std::span<const Rule> thread_rules() { return kThreadRules; }

}  // namespace jrec
