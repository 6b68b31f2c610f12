// SPDX-License-Identifier: Apache-2.0
// Where CPU time goes, by samples.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "jrec/base/columns.h"
#include "jrec/findings/frame_shares.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"
#include "jrec/profile/hot.h"

namespace jrec {
namespace {

constexpr uint64_t kEnoughSamples = 200;  // a share of 2 % is then known to within one in either direction
constexpr uint64_t kFewSamples = 30;  // from that on a share counts that is beyond the threshold by more than chance
constexpr double kEnoughOfThem = 10;  // samples that a share must be of

// If not, it is unjudged.
bool enough_cpu_samples(const Facts& facts, Verdict& verdict) {
  return verdict.enough(facts.cpu, "samples of CPU time", kEnoughSamples);
}

// Whether a share in percent, of samples that are worth so much, is one that reaches the threshold. None rests on a handful of samples.
bool is_sure(double share, const SampleWorth& worth, const Facts& facts, double threshold, uint64_t least_samples) {
  if (worth.draws() < kEnoughOfThem || share == 0 || share < threshold) return false;
  const double known_by = std::min(facts.cpu.worth().draws(), static_cast<double>(facts.cpu.samples));
  if (known_by >= static_cast<double>(kEnoughSamples)) return true;
  return known_by >= static_cast<double>(least_samples) && at_least(share, known_by) >= threshold;
}

// By place of the name in the tree's names: of the samples that have it on top.
std::vector<SampleWorth> worth_by_name(const SampledFacts& samples) {
  std::vector<SampleWorth> worth(samples.tree.names().size());
  for (size_t i = 1; i < samples.tree.nodes().size(); ++i) worth[samples.tree.nodes()[i].name].add(samples.worth_at(i));
  return worth;
}

// What a share of CPU time is a share of.
const char* whole_of_cpu(const SampledFacts& cpu) {
  if (cpu.unit == "ns") return "CPU time";
  return cpu.samples == cpu.tree.total() ? "the samples of CPU time" : "the weight of the samples of CPU time";
}

void tell_hot_method(const Facts& facts, const HotMethod& method, Verdict& verdict) {
  const uint64_t all = facts.cpu.tree.total();
  const std::string& name = facts.cpu.tree.names()[method.name];
  const double share = percent(method.self, all);
  Finding& finding = verdict.found(
      Severity::kNote, share, fmt::format("{} of CPU in {}", percent_words(share), name),
      fmt::format("The method itself, without what it calls, was on top of {} of {}; with what it calls it has {}.",
                  percent_words(share), whole_of_cpu(facts.cpu), percent_words(percent(method.total, all))));
  finding.evidence.push_back({"method", name});
  finding.command = verdict.command("flame -o flame.html -e cpu -I " + shell_word(exactly(name)));
}

// A stub or function of the JVM, or of a library: what can be changed is who calls it.
void tell_hot_native(const Facts& facts, const HotMethod& method, const FrameShares::Caller& caller, Verdict& verdict) {
  const uint64_t all = facts.cpu.tree.total();
  const std::string& name = facts.cpu.tree.names()[method.name];
  const double share = percent(method.self, all);
  Finding& finding = verdict.found(
      Severity::kNote, share, fmt::format("{} of CPU in {}, called by {}", percent_words(share), name, caller.name),
      fmt::format(
          "Native code, of the JVM or of a library, was on top of {} of {}; {} of all CPU time is this function "
          "called by {}.",
          percent_words(share), whole_of_cpu(facts.cpu), percent_words(percent(caller.weight, all)), caller.name));
  finding.evidence.push_back({"method", std::string(caller.name)});
  finding.evidence.push_back({"function", name});
  finding.command = verdict.command("flame -o flame.html -e cpu -I " + shell_word(exactly(caller.name)));
}

// The recorder's own threads (agent/sampling/stand_in.h), and what stands for stacks that are not known: no work of the program's.
bool is_of_nobody(std::string_view name) {
  return name == "[no stack]" || name == "rec.[rec Thread]" || name.starts_with("rec.NotWalked.");
}

void judge_hot_method(const Facts& facts, Verdict& verdict) {
  constexpr size_t kMostMethods = 3;
  size_t told = 0;
  const std::vector<SampleWorth> worth = worth_by_name(facts.cpu);
  for (const HotMethod& method : hot_methods(facts.cpu.tree)) {
    const double share = percent(method.self, facts.cpu.tree.total());
    const std::string& name = facts.cpu.tree.names()[method.name];
    if (share < verdict.threshold() || share == 0 || told == kMostMethods) break;
    if (!is_sure(share, worth[method.name], facts, verdict.threshold(), kFewSamples)) continue;
    if (is_of_nobody(name)) continue;
    ++told;
    const FrameShares::Caller caller = facts.work->caller_of_native(method.name);
    if (caller.name.empty())
      tell_hot_method(facts, method, verdict);
    else
      tell_hot_native(facts, method, caller, verdict);
  }
  if (told == 0) enough_cpu_samples(facts, verdict);
}

// Of each kind of work: what the title calls it, and what helps.
struct WorkWords {
  std::string_view title, advice;
};
constexpr std::array<WorkWords, kWorkKinds> kWorkWords = {{
    {"in regular expressions that are compiled anew",
     "A Pattern that is kept in a constant is compiled once; String.split, matches and replaceAll compile theirs each "
     "time."},
    {"in String.format and Formatter",
     "The format is parsed at each call; a StringBuilder, or + between strings, costs a fraction."},
    {"in filling stack traces of exceptions",
     "An exception that is thrown as a matter of course can do without a stack trace, or be a value that is returned; "
     "one that is made for its stack alone costs more than StackWalker."},
    {"in logging",
     "Fewer or shorter lines, a level that is off, or an appender that does not tell class and line of the caller cost "
     "less."},
    {"in reflection itself",
     "What getMethod and its like return can be kept; a MethodHandle in a constant costs no more than a call."},
    {"in loading classes",
     "At the start that is usual, and an archive of classes (-XX:SharedArchiveFile, an AOT cache) shortens it; later, "
     "something defines classes again and again."},
    {"in Java serialization",
     "Streams of objects describe their classes anew and read them by reflection; other formats cost less."},
    {"in the JIT compilers",
     "That is usual while a program starts. It is not in one that has run for long: methods are compiled again and "
     "again, or the code cache is too small."},
}};

template <WorkKind kKind>
void judge_work(const Facts& facts, Verdict& verdict) {
  constexpr WorkWords kWords = kWorkWords[static_cast<size_t>(kKind)];
  // A recording with few samples is often one of a start, where these two are usual.
  constexpr bool kUsualAtStart = kKind == WorkKind::kClassLoading || kKind == WorkKind::kJitCompilers;
  const double share = percent(facts.work->weight(kKind), facts.cpu.tree.total());
  if (!is_sure(share, facts.work->worth(kKind), facts, verdict.threshold(),
               kUsualAtStart ? kEnoughSamples : kFewSamples)) {
    enough_cpu_samples(facts, verdict);
    return;
  }
  FrameShares::Caller caller = facts.work->main_caller(kKind);
  if (caller.weight * 2 < facts.work->weight(kKind)) caller.name = {};  // one of many
  std::string text;
  if (!caller.name.empty())
    text = fmt::format("Most of it, {} of all CPU time, is called by {}. ",
                       percent_words(percent(caller.weight, facts.cpu.tree.total())), caller.name);
  Finding& finding =
      verdict.found(Severity::kWarning, share, fmt::format("{} of CPU {}", percent_words(share), kWords.title),
                    text + std::string(kWords.advice));
  if (!caller.name.empty()) finding.evidence.push_back({"method", std::string(caller.name)});
  finding.command = verdict.command("flame -o flame.html -e cpu -I " + shell_word(pattern_of(kKind)));
}

constexpr Rule kCpuRules[] = {
    {"hot-method", 20, "%", "a method that is on top of so much of all CPU time", judge_hot_method},
    {"regex-compile", 2, "%", "CPU time in compiling regular expressions", judge_work<WorkKind::kRegexCompile>},
    {"format", 5, "%", "CPU time in String.format and Formatter", judge_work<WorkKind::kFormat>},
    {"stack-traces", 5, "%", "CPU time in filling stack traces of exceptions", judge_work<WorkKind::kStackTraces>},
    {"logging", 10, "%", "CPU time in frameworks for logging", judge_work<WorkKind::kLogging>},
    {"reflection", 5, "%", "CPU time in reflection, without what it calls", judge_work<WorkKind::kReflection>},
    {"class-loading", 15, "%", "CPU time in class loaders", judge_work<WorkKind::kClassLoading>},
    {"serialization", 10, "%", "CPU time in ObjectInputStream and ObjectOutputStream",
     judge_work<WorkKind::kSerialization>},
    {"jit-cpu", 30, "%", "CPU time in the JIT compilers, where native frames are recorded",
     judge_work<WorkKind::kJitCompilers>},
};

}  // namespace

std::span<const Rule> cpu_rules() { return kCpuRules; }

}  // namespace jrec
