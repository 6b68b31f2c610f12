// SPDX-License-Identifier: Apache-2.0
// The processors under the program: who uses them, and whether it may.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"

namespace jrec {
namespace {

constexpr uint64_t kEnoughLoads = 5;

// Averages in percent of the machine. Of several JVMs at a time, together.
struct AverageLoad {
  double jvm = 0, machine = 0;
  bool several = false;
};

constexpr double kSeveral = 1.1;  // JVMs at a time: recordings that follow each other may overlap a little

bool average_load(const Facts& facts, Verdict& verdict, AverageLoad& load) {
  const MachineFacts& machine = facts.machine;
  if (!verdict.recorded(facts, "jdk.CPULoad")) return false;
  if (machine.loads.count < kEnoughLoads)
    return verdict.unjudged(too_few(machine.loads.count, "looks at the CPU load", kEnoughLoads)), false;
  const auto count = static_cast<double>(machine.loads.count);
  const double at_a_time =
      facts.duration_ns > 0 ? static_cast<double>(facts.jvms_ns) / static_cast<double>(facts.duration_ns) : 1;
  load = {machine.jvm / count * 100, machine.machine / count * 100, at_a_time > kSeveral};
  if (load.several) load.jvm = std::min(load.jvm * at_a_time, load.machine);
  return true;
}

void judge_other_processes(const Facts& facts, Verdict& verdict) {
  AverageLoad load;
  if (!average_load(facts, verdict, load)) return;
  const double others = std::max(load.machine - load.jvm, 0.0);
  if (others < verdict.threshold()) return;
  constexpr double kRoom = 75;  // on average; a machine that is busier was at times full
  const bool has_room = load.machine < kRoom;
  Finding& finding = verdict.found(
      has_room ? Severity::kNote : Severity::kWarning, others,
      fmt::format("Other processes used {} of the machine's CPU", percent_words(others)),
      fmt::format("{} used {} on average, all of the machine {}. {}", load.several ? "These JVMs" : "This JVM",
                  percent_words(load.jvm), percent_words(load.machine),
                  has_room ? fmt::format("{} of it had nothing to do: little here waited for a processor, though "
                                         "others may share its caches and memory.",
                                         percent_words(100 - load.machine))
                           : "What is measured here may be slow for want of a processor."));
  finding.command = verdict.command(facts.machine.tells_processes ? "view cpu-load-samples system-processes"
                                                                  : "view cpu-load-samples");
}

void judge_saturated(const Facts& facts, Verdict& verdict) {
  AverageLoad load;
  if (!average_load(facts, verdict, load)) return;
  if (load.machine < verdict.threshold()) return;
  Finding& finding =
      verdict.found(Severity::kNote, load.machine,
                    fmt::format("All processors were busy: {} on average", percent_words(load.machine)),
                    fmt::format("{} of the machine was {}. Threads that could run waited for a processor.",
                                percent_words(load.jvm), load.several ? "these JVMs" : "this JVM"));
  finding.command = verdict.command("view cpu-load-samples");
}

void judge_throttling(const Facts& facts, Verdict& verdict) {
  const MachineFacts& machine = facts.machine;
  if (!verdict.recorded(facts, "jdk.ContainerCPUThrottling")) return;
  if (machine.slices.looks() < 2)
    return verdict.unjudged(too_few(machine.slices.looks(), "looks at the quota of CPU", 2));
  constexpr double kFewSlices = 50;  // 5 s of slices of 100 ms
  const double slices = machine.slices.growth(), throttled = machine.throttled_slices.growth();
  if (slices < kFewSlices)
    return verdict.unjudged(fmt::format("only {:.0f} periods of the CPU quota have passed", slices));
  const double share = std::min(throttled / slices * 100, 100.0);
  if (share < verdict.threshold()) return;
  constexpr double kMuch = 5;  // thresholds
  Finding& finding =
      verdict.found(share >= kMuch * verdict.threshold() ? Severity::kSerious : Severity::kWarning, share,
                    fmt::format("The container was out of its CPU quota in {} of the periods", percent_words(share)),
                    fmt::format("In {:.0f} of {:.0f} periods its threads had to wait for the next one, {} in all. A "
                                "larger limit, or fewer threads at work at "
                                "once, helps.",
                                throttled, slices, time_words(machine.throttled_ns.growth())));
  tell_all_of(machine.of_throttling, finding);
  finding.command = verdict.command("view jdk.ContainerCPUThrottling");
}

constexpr Rule kMachineRules[] = {
    {"throttling", 5, "%", "periods in which the container had used up its quota of CPU", judge_throttling},
    {"other-processes", 30, "%", "the machine's CPU that other processes used, on average", judge_other_processes},
    {"busy-machine", 90, "%", "the machine's CPU that was in use, on average", judge_saturated},
};

}  // namespace

std::span<const Rule> machine_rules() { return kMachineRules; }

}  // namespace jrec
