// SPDX-License-Identifier: Apache-2.0
// What threads wait for: locks, and carriers of virtual threads.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"
#include "jrec/view/cell.h"

namespace jrec {
namespace {

// Of a rule that has found nothing: in a short time nothing is no news.
void settle_waiting(const Facts& facts, Verdict& verdict) {
  if (verdict.silent()) verdict.long_enough(facts);
}

using Times = std::map<std::string, double>;  // by name; an empty one: not known

// Of all rows of one lock class.
struct ClassWaits {
  Lengths all;
  Times by_site, by_owner;
  double of_last = 0;  // ns for which it is known who had the lock last, and not since when
};

std::map<std::string, ClassWaits> waits_by_class(const WaitingFacts& facts) {
  std::map<std::string, ClassWaits> all;
  for (const auto& [key, lengths] : facts.monitors.rows()) {
    ClassWaits& waits = all[key[0]];
    waits.all.add(lengths);
    waits.by_site[key[1]] += lengths.total;
  }
  for (const auto& [key, lengths] : facts.owners.times().rows()) {
    ClassWaits& waits = all[key[0]];
    waits.by_owner[key[1]] += lengths.total;
    if (key[2] == MonitorOwners::kLast) waits.of_last += lengths.total;
  }
  return all;
}

// With most of the time; an empty name if none is known.
Times::value_type most_of(Times times) {
  times.erase("");
  const auto most = std::ranges::max_element(times, {}, &Times::value_type::second);
  return most == times.end() ? Times::value_type() : *most;
}

// "holder" where nobody else is known to own them, else "holder 41 %, and 5 others".
std::string owner_words(const ClassWaits& waits) {
  const auto [name, time] = most_of(waits.by_owner);
  if (name.empty() || waits.by_owner.size() == 1) return name;
  const size_t others = waits.by_owner.size() - 1 - waits.by_owner.count("");
  const std::string share = percent_words(waits.all.total > 0 ? time / waits.all.total * 100 : 0);
  if (others == 0) return fmt::format("{} {}", name, share);
  return fmt::format("{} {}, and {} other{}", name, share, others, others == 1 ? "" : "s");
}

// Empty where it is little.
std::string last_owner_words(const ClassWaits& waits) {
  constexpr double kLittle = 10;  // %
  const double share = waits.all.total > 0 ? waits.of_last / waits.all.total * 100 : 0;
  if (share < kLittle) return "";
  return fmt::format(" For {} of it the owner is who handed the lock over last: who had it before is not told.",
                     percent_words(share));
}

constexpr double kWholeThread = 100;  // % of the time

Severity severity_of_waits(double share) { return share >= kWholeThread ? Severity::kSerious : Severity::kWarning; }

// how: "blocked", "parked". Looks at virtual threads tell how long all of them waited, and nothing of one wait.
std::string waits_in_words(const char* how, const Lengths& waits, double share) {
  const std::string lengths =
      waits.looks == 0
          ? fmt::format("They were {} {}, for {} at the longest; together that", how, times_words(waits.count),
                        time_words(waits.longest))
          : fmt::format(
                "Looks at virtual threads, {} of them, found some {}: how often they were, and for how long at "
                "the longest, is not told. Together that",
                show(Cell::of(waits.looks), 0), how);
  return fmt::format("{} is {} of the recording's time.", lengths, percent_words(share));
}

void judge_locks(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.JavaMonitorEnter")) return;
  for (const auto& [klass, waits] : waits_by_class(facts.waits)) {
    const double share = share_of_time(facts, waits.all.total);
    if (share < verdict.threshold() || !is_enough_time(facts, waits.all.total)) continue;
    Finding& finding = verdict.found(severity_of_waits(share), share,
                                     fmt::format("Threads waited {} for locks of {}", time_words(waits.all.total),
                                                 klass.empty() ? "an unknown class" : klass),
                                     waits_in_words("blocked", waits.all, share) + last_owner_words(waits));
    finding.evidence.push_back({"class", klass});
    const std::string site = most_of(waits.by_site).first, owner = owner_words(waits);
    if (!site.empty()) finding.evidence.push_back({"method", site});
    if (!owner.empty()) finding.evidence.push_back({"owner", owner});
    tell_all_of(waits.all, finding);
    finding.command =
        verdict.command("flame -o flame.html -e jdk.JavaMonitorEnter" +
                        (klass.empty() ? "" : " --where " + shell_word("monitorClass = \"" + klass + "\"")));
  }
  settle_waiting(facts, verdict);
}

// Who gives a permit is not recorded: what may be a signal is told as that, too. Empty: it is none.
std::string signal_words(const Ranking& at_once, const Ranking::Key& key, const Lengths& waits) {
  constexpr double kMuch = 0.2;  // while a permit is handed over, all may wait for a moment
  const auto all = at_once.rows().find(key);
  if (all == at_once.rows().end() || all->second.total < waits.total * kMuch) return "";
  return fmt::format(
      " For {} of that time all of them waited at once, so that none of them had a permit: if they wait for others to "
      "give them work, they are idle and all is well; if not, others hold the permits, or have lost them.",
      percent_words(all->second.total / waits.total * 100));
}

void judge_park_locks(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.ThreadPark")) return;
  constexpr size_t kMostSites = 5;
  Ranking all = facts.waits.park_locks;
  all.add(facts.waits.semaphores.shared(std::string(kSemaphore)));
  const Ranking at_once = facts.waits.semaphores.all_at_once(std::string(kSemaphore));
  for (const auto& [key, waits] : all.largest(kMostSites)) {
    const double share = share_of_time(facts, waits.total);
    if (share < verdict.threshold() || !is_enough_time(facts, waits.total)) continue;
    const std::string signal = signal_words(at_once, key, waits);
    // Busy workers that wait for a signal look like threads that wait for each other.
    const Severity most = key[0] == kSemaphore ? Severity::kWarning : severity_of_waits(share);
    Finding& finding = verdict.found(signal.empty() ? most : Severity::kNote, share,
                                     fmt::format("Threads waited {} for a {} in {}", time_words(waits.total), key[0],
                                                 key[1].empty() ? "an unknown method" : key[1]),
                                     waits_in_words("parked", waits, share) + signal);
    if (!key[1].empty()) finding.evidence.push_back({"method", key[1]});
    tell_all_of(waits, finding);
    const std::string method = key[1].substr(0, key[1].find('('));  // as flame graphs have it
    finding.command = verdict.command("flame -o flame.html -e jdk.ThreadPark" +
                                      (method.empty() ? "" : " -I " + shell_word(exactly(method))));
  }
  settle_waiting(facts, verdict);
}

void judge_pinned(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.VirtualThreadPinned")) return;
  const Lengths& all = facts.waits.pinned.all();
  const double share = share_of_time(facts, all.total);
  if (all.count == 0 || share < verdict.threshold() || !is_enough_time(facts, all.total))
    return settle_waiting(facts, verdict);
  const auto [key, lengths] = facts.waits.pinned.largest(1)[0];
  Finding& finding = verdict.found(
      Severity::kWarning, share,
      fmt::format("Virtual threads kept their carriers while they waited, for {}", time_words(all.total)),
      fmt::format(
          "They were pinned {}, for {} at the longest: by a monitor (before JDK 24), or by native code below them.{}",
          times_words(all.count), time_words(all.longest), key[0].empty() ? "" : " Most of it is in " + key[0] + "."));
  if (!key[0].empty()) finding.evidence.push_back({"method", key[0]});
  finding.command = verdict.command("flame -o flame.html -e jdk.VirtualThreadPinned");
}

constexpr Rule kWaitingRules[] = {
    {"locks", 10, "%",
     "time that threads were blocked by locks of one class, of the recording's: of 5 s or more, or half a second of "
     "waiting",
     judge_locks},
    {"park-locks", 10, "%",
     "time that threads were parked for a lock of java.util.concurrent in one method, of the recording's, likewise",
     judge_park_locks},
    {"pinned", 10, "%", "time that virtual threads were pinned, of the recording's, likewise", judge_pinned},
};

}  // namespace

std::span<const Rule> waiting_rules() { return kWaitingRules; }

}  // namespace jrec
