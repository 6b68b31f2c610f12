// SPDX-License-Identifier: Apache-2.0
// What takes long by itself: operations on files and sockets, the way to a safepoint, what the VM does at one.
#include <fmt/core.h>

#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"
#include "jrec/safepoints/report.h"

namespace jrec {
namespace {

// What the rules of files and of sockets say in words of their own.
struct SlowOperations {
  const char* one;        // "An operation on"
  const char* unknown;    // "a file"
  const char* all;        // "Operations on files"
  const char* what_then;  // behind how long they took in all, and this one
  const char* evidence;
  const char* views;
};

// Of the one that took longest.
void judge_slowest(const Ranking& operations, const SlowOperations& words, Verdict& verdict) {
  const std::pair<const Ranking::Key, Lengths>* slowest = nullptr;
  for (const auto& row : operations.rows())
    if (slowest == nullptr || row.second.longest > slowest->second.longest) slowest = &row;
  if (slowest == nullptr || slowest->second.longest < verdict.threshold() * 1e6) return;
  const auto& [key, lengths] = *slowest;
  Finding& finding = verdict.found(
      Severity::kNote, lengths.longest / 1e6,
      fmt::format("{} {} took {}", words.one, key[0].empty() ? words.unknown : key[0], time_words(lengths.longest)),
      fmt::format("{} took {} in all, {} of it {}", words.all, time_words(operations.all().total),
                  time_words(lengths.total), words.what_then));
  finding.evidence.push_back({words.evidence, key[0]});
  if (!key[1].empty()) finding.evidence.push_back({"method", key[1]});
  tell_longest_of(lengths, finding);
  finding.command = verdict.command(std::string("view ") + words.views);
}

void judge_files(const Facts& facts, Verdict& verdict) {
  if (!facts.records("jdk.FileRead") && !facts.records("jdk.FileWrite") && !facts.records("jdk.FileForce"))
    return verdict.unjudged("reads and writes of files were not recorded");
  judge_slowest(facts.waits.files,
                {"An operation on", "a file", "Operations on files",
                 "on this one: a slow disk, a network's file system, or large pieces.", "file",
                 "file-reads-by-path file-writes-by-path"},
                verdict);
}

void judge_sockets(const Facts& facts, Verdict& verdict) {
  if (!facts.records("jdk.SocketRead") && !facts.records("jdk.SocketWrite"))
    return verdict.unjudged("reads and writes of sockets were not recorded");
  judge_slowest(facts.waits.sockets,
                {"A read or write of", "a socket", "Those of connections that the program began",
                 "with this one: an answer that comes late, a network that loses packets, or a thread that waits for "
                 "what the other side sends whenever it likes, which is well.",
                 "host", "socket-reads-by-host socket-writes-by-host"},
                verdict);
}

Severity severity_of_late(double longest_ns) {
  constexpr double kVeryLate_ns = 1e9;
  return longest_ns >= kVeryLate_ns ? Severity::kSerious : Severity::kWarning;
}

// Of JFR's recordings: how long safepoints took to be reached, and not because of whom.
void judge_reached(const Facts& facts, Verdict& verdict) {
  const Lengths& reached = facts.vm.reached;
  if (reached.longest < verdict.threshold() * 1e6) return;
  Finding& finding = verdict.found(
      severity_of_late(reached.longest), reached.longest / 1e6,
      fmt::format("Safepoints were late by up to {}", time_words(reached.longest)),
      fmt::format(
          "Until the last thread had stopped the others stood still, for {} in all, {} of the time. Which method "
          "was late is not told: rec's option safepoint=TIME tells.",
          time_words(reached.total), percent_words(share_of_time(facts, reached.total))));
  tell_longest_of(reached, finding);
  finding.command = verdict.command("view jdk.SafepointBegin");
}

// Of rec's recordings: by the method that was late, and why.
void judge_late_safepoints(const Facts& facts, Verdict& verdict) {
  std::vector<Stall> stalls = facts.stalls.worst_first();
  if (stalls.empty() && facts.safepoint_threshold.empty()) {
    if (facts.records("jdk.SafepointBegin") && facts.recording.counters.empty()) return judge_reached(facts, verdict);
    return verdict.unjudged("no safepoint was watched: jdk.SafepointBegin does, and rec's option safepoint=TIME");
  }
  std::erase_if(stalls, [](const Stall& stall) { return stall.handshake; });  // they stop one thread, and not all
  constexpr size_t kMostMethods = 5;
  size_t told = 0;
  for (const LateMethod& method : by_method(stalls)) {
    if (static_cast<double>(method.longest_ns) < verdict.threshold() * 1e6) continue;
    if (told++ == kMostMethods) break;
    const auto longest = static_cast<double>(method.longest_ns);
    Finding& finding = verdict.found(severity_of_late(longest), longest / 1e6,
                                     fmt::format("Safepoints were late {}, by up to {}, because of {}",
                                                 times_words(method.safepoints), time_words(longest), method.method),
                                     fmt::format("All other threads stood still meanwhile, for {} in all.{}",
                                                 time_words(static_cast<double>(method.total_ns)),
                                                 method.reason.empty() ? "" : " Why: " + method.reason + "."));
    finding.evidence.push_back({"method", method.method});
    if (!method.caller.empty()) finding.evidence.push_back({"caller", method.caller});
    if (!method.reason.empty()) finding.evidence.push_back({"reason", method.reason});
    finding.command = verdict.command("safepoints");
  }
}

void judge_operations(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.ExecuteVMOperation")) return;
  for (const auto& [key, lengths] : facts.vm.operations.rows()) {
    if (lengths.longest < verdict.threshold() * 1e6) continue;
    Finding& finding = verdict.found(
        Severity::kWarning, lengths.longest / 1e6,
        fmt::format("{} stopped the program for {}", key[0], time_words(lengths.longest)),
        fmt::format("This operation of the VM, which is no collection, came {} and stopped all threads for {} in all.",
                    times_words(lengths.count), time_words(lengths.total)));
    finding.evidence.push_back({"operation", key[0]});
    if (!key[1].empty()) finding.evidence.push_back({"thread", key[1]});
    tell_longest_of(lengths, finding);
    finding.command = verdict.command("view vm-operations");
  }
}

constexpr Rule kSlowRules[] = {
    {"slow-files", 500, "ms", "the longest operation on a file", judge_files},
    {"slow-sockets", 2000, "ms", "the longest read or write of a connection that the program began", judge_sockets},
    {"late-safepoints", 50, "ms", "how late a method made safepoints, or how late they were reached",
     judge_late_safepoints},
    {"vm-operations", 500, "ms", "the longest operation of the VM at a safepoint that is no collection",
     judge_operations},
};

}  // namespace

std::span<const Rule> slow_rules() { return kSlowRules; }

}  // namespace jrec
