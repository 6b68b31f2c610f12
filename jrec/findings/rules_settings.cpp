// SPDX-License-Identifier: Apache-2.0
// How the JVM was started.
#include <fmt/core.h>

#include <algorithm>

#include "base/redact_arguments.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"

namespace jrec {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

// The words of a command line; those in quotes are cut, which no rule here minds.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = line.find_first_not_of(" \t\n", at)) != std::string::npos) {
    const size_t end = std::min(line.find_first_of(" \t\n", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

bool knows_arguments(const Facts& facts, Verdict& verdict) {
  if (facts.settings.has_jvm) return true;
  verdict.unjudged("jdk.JVMInformation was not recorded");
  return false;
}

// With references of 8 bytes a heap of 32 to about 48 GB holds no more than one of just under 32.
void judge_wide_references(const Facts& facts, Verdict& verdict) {
  const SettingFacts& settings = facts.settings;
  if (!settings.has_heap) return verdict.unjudged("jdk.GCHeapConfiguration was not recorded");
  constexpr double kBorder = 32 * kGiB;
  if (settings.compressed_oops || settings.heap_max <= 0) return;
  if (settings.old.starts_with("Z") || settings.young.starts_with("Z")) return;  // ZGC has none at any size
  const double over = (settings.heap_max / kBorder - 1) * 100;
  if (over >= verdict.threshold()) return;
  Finding& finding = verdict.found(Severity::kWarning, over,
                                   fmt::format("References of 8 bytes in a heap of {}", size_words(settings.heap_max)),
                                   over < 0 ? "Compressed references are off although the heap is small enough for "
                                              "them: objects take up to half as much again."
                                            : "Above 32 GB references are not compressed, and objects take up to half "
                                              "as much again: just under 32 GB holds as much.");
  finding.evidence.push_back({"setting", "-Xmx"});
  finding.command = verdict.command_at_any_time("view heap-configuration");
}

void judge_heap_over_memory(const Facts& facts, Verdict& verdict) {
  if (!facts.settings.has_heap) return verdict.unjudged("jdk.GCHeapConfiguration was not recorded");
  const MachineFacts& machine = facts.machine;
  const bool contained =
      machine.container_memory > 0 && (machine.memory <= 0 || machine.container_memory < machine.memory);
  const double memory = contained ? machine.container_memory : machine.memory;
  if (memory <= 0) return verdict.unjudged("the size of the memory is not known");
  const double share = facts.settings.heap_max / memory * 100;
  if (share < verdict.threshold()) return;
  Finding& finding = verdict.found(
      share > 100 ? Severity::kSerious : Severity::kWarning, share,
      fmt::format("The heap may grow to {} of the {}", percent_words(share),
                  contained ? "container's memory" : "machine's memory"),
      fmt::format("Its limit is {}, there are {}. Threads, code, metaspace and buffers need room beside it: {}.",
                  size_words(facts.settings.heap_max), size_words(memory),
                  contained ? "at the limit the kernel kills the process"
                            : "what does not fit is swapped, or the kernel kills the process"));
  finding.evidence.push_back({"setting", "-Xmx"});
  finding.command = verdict.command_at_any_time("view heap-configuration");
}

bool is_debug_agent(const std::string& word) {
  return word.starts_with("-agentlib:jdwp") || word.starts_with("-Xrunjdwp") || word == "-Xdebug";
}

void judge_debug_agent(const Facts& facts, Verdict& verdict) {
  if (!knows_arguments(facts, verdict)) return;
  const std::vector<std::string> words = words_of(facts.settings.arguments);
  const auto agents = static_cast<uint64_t>(std::ranges::count_if(words, is_debug_agent));
  if (!verdict.reached_by(agents)) return;
  Finding& finding = verdict.found(
      Severity::kWarning, static_cast<double>(agents), "The agent for debuggers is loaded",
      "Who reaches its port may run any code in this process, and exceptions and locals cost more with it.");
  finding.evidence.push_back({"setting", *std::ranges::find_if(words, is_debug_agent)});
  finding.command = verdict.command_at_any_time("view jvm-information");
}

bool is_slow_flag(const std::string& word) {
  for (const std::string_view flag : {"-Xint", "-Xcomp", "-Xcheck:jni", "-XX:-UseTLAB", "-XX:-BackgroundCompilation",
                                      "-XX:-UseOnStackReplacement", "-XX:+ExtendedDTraceProbes"})
    if (word == flag) return true;
  return word.starts_with("-XX:TieredStopAtLevel=") && !word.ends_with("=4");
}

void judge_slow_flags(const Facts& facts, Verdict& verdict) {
  if (!knows_arguments(facts, verdict)) return;
  const std::vector<std::string> words = words_of(facts.settings.arguments);
  const auto flags = static_cast<uint64_t>(std::ranges::count_if(words, is_slow_flag));
  if (!verdict.reached_by(flags)) return;
  const std::string first = *std::ranges::find_if(words, is_slow_flag);
  Finding& finding =
      verdict.found(Severity::kWarning, static_cast<double>(flags), fmt::format("{} makes the program slow", first),
                    "The option is for tests, or for programs that end within seconds.");
  for (const std::string& word : words)
    if (is_slow_flag(word)) finding.evidence.push_back({"setting", word});
  finding.command = verdict.command_at_any_time("view jvm-information");
}

void judge_collector(const Facts& facts, Verdict& verdict) {
  const SettingFacts& settings = facts.settings;
  const int64_t cpus = facts.machine.container_cpus > 0 ? facts.machine.container_cpus : facts.machine.hardware_threads;
  if (!settings.has_collector) return verdict.unjudged("jdk.GCConfiguration was not recorded");
  if (cpus <= 0) return verdict.unjudged("the number of processors is not known");
  const bool serial = settings.old == "SerialOld";
  if (serial && static_cast<double>(cpus) >= verdict.threshold()) {
    Finding& finding = verdict.found(Severity::kWarning, static_cast<double>(cpus),
                                     fmt::format("The serial collector on {} processors", cpus),
                                     "One processor collects while the others wait. It is chosen where the JVM sees "
                                     "less than 2 processors or 1792 MB of memory: "
                                     "-XX:+UseG1GC, or a larger limit of the container, chooses another.");
    finding.evidence.push_back({"collector", settings.old});
    finding.command = verdict.command_at_any_time("view gc-configuration");
  }
  if (!serial && cpus == 1) {
    Finding& finding = verdict.found(
        Severity::kNote, 1, fmt::format("A parallel or concurrent collector ({}) on one processor", settings.old),
        "Its threads take turns with those of the program; -XX:+UseSerialGC does the same with less.");
    finding.evidence.push_back({"collector", settings.old});
    finding.command = verdict.command_at_any_time("view gc-configuration");
  }
}

// -Ddb.password=..., --token=...; and not what hides it: ***, [redacted], [REDACTED].
bool holds_a_secret(const std::string& word) {
  const size_t end = word.find('=');
  if (end == std::string::npos || end + 1 == word.size()) return false;
  return word[end + 1] != '[' && word.find("***", end) == std::string::npos && base::redact_arguments(word) != word;
}

// The value is not told once more.
void judge_secrets(const Facts& facts, Verdict& verdict) {
  if (!knows_arguments(facts, verdict)) return;
  std::vector<std::string> names;
  for (const std::string& line : {facts.settings.arguments, facts.settings.java_arguments})
    for (const std::string& word : words_of(line))
      if (holds_a_secret(word)) names.push_back(word.substr(0, word.find('=')));
  if (!verdict.reached_by(names.size())) return;
  Finding& finding = verdict.found(Severity::kWarning, static_cast<double>(names.size()),
                                   "Secrets stand on the command line, and in this recording",
                                   "Every user of the machine can read the command line, and whoever gets this file. "
                                   "jrec scrub --secrets makes one without them.");
  for (const std::string& name : names) finding.evidence.push_back({"setting", name});
  finding.command = verdict.command_at_any_time("view jvm-information");
}

constexpr Rule kSettingsRules[] = {
    {"heap-over-memory", 90, "%", "the heap's limit, of the machine's or the container's memory",
     judge_heap_over_memory},
    {"wide-references", 50, "%", "a heap without compressed references is larger than 32 GB by less than this",
     judge_wide_references},
    {"collector", 3, "CPUs", "the serial collector on so many processors, or another one on a single one",
     judge_collector},
    {"slow-flags", 1, "", "options of the JVM that make programs slow", judge_slow_flags},
    {"debug-agent", 1, "", "the agent for debuggers is loaded", judge_debug_agent},
    {"secrets", 1, "", "arguments whose names say that they are secret", judge_secrets},
};

}  // namespace

std::span<const Rule> settings_rules() { return kSettingsRules; }

}  // namespace jrec
