// SPDX-License-Identifier: Apache-2.0
// Deadlocks, exceptions, classes and code.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/findings/deadlock_text.h"
#include "jrec/findings/lasting_growth.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"

namespace jrec {
namespace {

void judge_deadlock(const Facts& facts, Verdict& verdict) {
  if (facts.vm.dumps == 0) return verdict.unjudged("there is no thread dump");
  if (!verdict.reached_by(facts.vm.deadlocks.count)) return;
  const std::vector<std::string> names = deadlocked_threads(facts.vm.deadlock);
  Finding& finding = verdict.found(
      Severity::kSerious, static_cast<double>(facts.vm.deadlocks.count), "Threads wait for each other: a deadlock",
      fmt::format("{} of {} thread dumps tell{} of it. The threads{}{} will not go on.", facts.vm.deadlocks.count,
                  facts.vm.dumps, facts.vm.deadlocks.count == 1 ? "s" : "", names.empty() ? "" : " ",
                  joined(names, ", ")));
  for (const std::string& name : names) finding.evidence.push_back({"thread", name});
  tell_all_of(facts.vm.deadlocks, finding);
  finding.command = verdict.command("print --events jdk.ThreadDump");
}

void judge_fatal_errors(const Facts& facts, Verdict& verdict) {
  if (!facts.records("jdk.JavaErrorThrow") && !facts.records("jdk.JavaExceptionThrow"))
    return verdict.unjudged("neither jdk.JavaErrorThrow nor jdk.JavaExceptionThrow was recorded");
  Ranking fatal;
  for (const auto& [jvm, its] : facts.vm.fatal) fatal.add(its.errors.all().count != 0 ? its.errors : its.exceptions);
  const Lengths& all = fatal.all();
  if (!verdict.reached_by(all.count)) return;
  const auto [key, lengths] = fatal.largest(1)[0];
  Finding& finding = verdict.found(
      Severity::kSerious, static_cast<double>(all.count), fmt::format("{} was thrown", key[0]),
      fmt::format(
          "Errors of this kind, OutOfMemoryError and StackOverflowError, leave a program in a state that nobody has "
          "thought of.{}",
          key[1].empty() ? "" : " Most came from " + key[1] + "."));
  finding.evidence.push_back({"class", key[0]});
  if (!key[1].empty()) finding.evidence.push_back({"method", key[1]});
  if (!key[2].empty()) finding.evidence.push_back({"thread", key[2]});
  tell_all_of(all, finding);
  finding.command = verdict.command("print --events 'jdk.Java*Throw' --where 'thrownClass = \"" + key[0] + "\"'");
}

// By the statistics, which count all; else by the exceptions that were written, weighted.
double exceptions_of(const VmFacts& vm) {
  return vm.throwables.length_ns() > 0 ? vm.throwables.growth() : vm.thrown.all().total;
}
double seconds_of_exceptions(const Facts& facts) {
  const int64_t length_ns = facts.vm.throwables.length_ns();
  return length_ns > 0 ? static_cast<double>(length_ns) / 1e9 : facts.seconds();
}

// Empty without the statistics.
std::string throwables_words(const GrowthByJvm& throwables, bool has_first) {
  if (throwables.length_ns() <= 0) return "";
  return fmt::format("{} were counted in {}{}. ", count_words(throwables.growth()),
                     time_words(static_cast<double>(throwables.length_ns())),
                     has_first ? ", from the beginning of the JVM on" : "");
}

// Nobody throws a plain Throwable as a matter of course.
std::string for_stacks_words(const VmFacts& vm) {
  constexpr double kMany = 25;  // %
  const double share = vm.made_for_stacks / vm.thrown.all().total * 100;
  if (!(share >= kMany)) return "";
  return fmt::format(
      " {} are made as if for their stacks alone (new Throwable(), Thread.getStackTrace()): StackWalker tells who "
      "called for less.",
      percent_words(share));
}

void judge_exceptions(const Facts& facts, Verdict& verdict) {
  if (!facts.records("jdk.ExceptionStatistics") && !facts.records("jdk.JavaExceptionThrow"))
    return verdict.unjudged("neither jdk.ExceptionStatistics nor jdk.JavaExceptionThrow was recorded");
  if (!verdict.long_enough(facts)) return;
  const double count = exceptions_of(facts.vm), rate = count / std::max(seconds_of_exceptions(facts), 1.0);
  if (count <= 0 || rate < verdict.threshold()) return;
  const auto largest = facts.vm.thrown.largest(1);
  const bool known = !largest.empty() && !largest[0].first[0].empty();
  std::string text = throwables_words(facts.vm.throwables, facts.vm.has_first_throwables) +
                     "They are counted as they are made, thrown or not, and each costs its stack trace.";
  if (known) {
    const auto& [key, lengths] = largest[0];
    text = fmt::format("{} of those that were written are {}{}. {}",
                       percent_words(lengths.total / facts.vm.thrown.all().total * 100), key[0],
                       key[1].empty() ? "" : ", made in " + key[1], text + for_stacks_words(facts.vm));
  }
  Finding& finding =
      verdict.found(Severity::kWarning, rate, fmt::format("{} exceptions a second were made", rate_words(rate)), text);
  if (known) finding.evidence.push_back({"class", largest[0].first[0]});
  if (known && !largest[0].first[1].empty()) finding.evidence.push_back({"method", largest[0].first[1]});
  finding.command = verdict.command(known ? "view exception-by-type exception-by-site" : "view exception-count");
}

// Classes that are loaded and not unloaded, over the time behind the start: rising from each third to the next.
void judge_class_leak(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.ClassLoadingStatistics")) return;
  const LastingGrowth grown = lasting_growth(facts.vm.classes, verdict.threshold());
  if (!grown.is_known())
    return verdict.unjudged(too_few(grown.most_looks, "looks at the number of classes", LastingGrowth::kEnoughLooks));
  if (!grown.reaches(verdict.threshold())) return;
  const Thirds& thirds = grown.thirds;
  Finding& finding =
      verdict.found(Severity::kWarning, thirds.growth,
                    fmt::format("The number of classes grew by {} all the time", percent_words(thirds.growth)),
                    fmt::format("There were {:.0f}, then {:.0f}, then {:.0f}, the start left out: class loaders may "
                                "leak, or classes are made at run "
                                "time and kept.",
                                thirds.lowest[0], thirds.lowest[1], thirds.lowest[2]));
  finding.from_ns = grown.points.front().at_ns;
  finding.to_ns = grown.points.back().at_ns;
  finding.command = verdict.command("view jdk.ClassLoadingStatistics class-loaders");
}

void judge_code_cache(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.CodeCacheFull")) return;
  const Lengths& full = facts.vm.code_cache_full;
  if (!verdict.reached_by(full.count)) return;
  Finding& finding = verdict.found(Severity::kSerious, static_cast<double>(full.count),
                                   fmt::format("The code cache was full {}", times_words(full.count)),
                                   "Compilation stops then, and what is not compiled is interpreted, many times "
                                   "slower. -XX:ReservedCodeCacheSize makes it larger.");
  if (!facts.vm.code_cache.empty()) finding.evidence.push_back({"code", facts.vm.code_cache});
  tell_all_of(full, finding);
  finding.command = verdict.command("view jdk.CodeCacheFull");
}

void judge_compile_failures(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.CompilationFailure")) return;
  const Lengths& all = facts.vm.compile_failures.all();
  if (!verdict.reached_by(all.count)) return;
  const auto [key, lengths] = facts.vm.compile_failures.largest(1)[0];
  Finding& finding =
      verdict.found(Severity::kNote, static_cast<double>(all.count), fmt::format("{} compilations failed", all.count),
                    fmt::format("{} of them because of: {}. The methods stay with slower code, or are tried again.",
                                lengths.count, key[0].empty() ? "no reason that is told" : key[0]));
  finding.evidence.push_back({"reason", key[0]});
  finding.command = verdict.command("view jdk.CompilationFailure");
}

void judge_deoptimization(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.Deoptimization")) return;
  const auto largest = facts.vm.deoptimized.largest(1);
  if (largest.empty()) return;
  const auto& [key, lengths] = largest[0];
  if (static_cast<double>(lengths.count) < verdict.threshold()) return;
  Finding& finding = verdict.found(
      Severity::kNote, static_cast<double>(lengths.count),
      fmt::format("{} was deoptimized {}", key[0], times_words(lengths.count)),
      fmt::format(
          "Its compiled code was thrown away or left each time, because of {}. A few times is usual; so many cost.",
          key[1]));
  finding.evidence.push_back({"method", key[0]});
  finding.evidence.push_back({"reason", key[1]});
  tell_all_of(lengths, finding);
  finding.command = verdict.command("view deoptimizations-by-site");
}

void judge_biased_locks(const Facts& facts, Verdict& verdict) {
  if (!facts.records("jdk.BiasedLockRevocation") && !facts.records("jdk.BiasedLockClassRevocation"))
    return verdict.unjudged("this JVM has no biased locks, or they were not recorded");
  const Lengths& all = facts.vm.biased.all();
  const double share = facts.jvms_ns > 0 ? all.total / static_cast<double>(facts.jvms_ns) * 100 : 0;
  if (all.count == 0 || share < verdict.threshold()) return;
  const auto [key, lengths] = facts.vm.biased.largest(1)[0];
  Finding& finding = verdict.found(
      Severity::kNote, share,
      fmt::format("Biases of locks were revoked {}, for {}", times_words(all.count), time_words(all.total)),
      fmt::format("Most of it was for locks of {}. -XX:-UseBiasedLocking has none; JDK 18 and later have none.",
                  key[0].empty() ? "an unknown class" : key[0]));
  finding.evidence.push_back({"class", key[0]});
  finding.command = verdict.command("view jdk.BiasedLockRevocation");
}

constexpr Rule kVmRules[] = {
    {"deadlock", 1, "", "thread dumps that tell of a deadlock", judge_deadlock},
    {"fatal-errors", 1, "", "OutOfMemoryError and StackOverflowError", judge_fatal_errors},
    {"code-cache", 1, "", "times that the code cache was full", judge_code_cache},
    {"exceptions", 1000, "1/s", "exceptions that are made a second, thrown or not", judge_exceptions},
    {"class-leak", 20, "%", "growth of the number of classes, the start left out", judge_class_leak},
    {"compile-failures", 10, "", "compilations that failed", judge_compile_failures},
    {"deoptimizations", 100, "", "deoptimizations of one method for one reason", judge_deoptimization},
    {"biased-locks", 1, "%", "time in revocations of biased locks, of the recording's", judge_biased_locks},
};

}  // namespace

std::span<const Rule> vm_rules() { return kVmRules; }

}  // namespace jrec
