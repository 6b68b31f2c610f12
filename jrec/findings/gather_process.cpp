// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "jrec/findings/gather.h"
#include "jrec/values/lost_samples.h"

namespace jrec {
namespace {

void take_cpu_load(EventCells& event, Facts& facts) {
  if (facts.machine.empty_loads.is_empty(facts.jvm, event.start_ns())) return;
  facts.machine.loads.add(event.start_ns(), 1);
  facts.machine.jvm += event.number("jvmUser") + event.number("jvmSystem");
  facts.machine.machine += event.number("machineTotal");
}

// The counts of the container are of all its life: what is between the first and the last look was in the recording.
void take_throttling(EventCells& event, Facts& facts) {
  const int64_t slices = event.integer("cpuElapsedSlices", -1), throttled = event.integer("cpuThrottledSlices", -1),
                time = event.integer("cpuThrottledTime", -1);
  if (slices < 0 || throttled < 0) return;
  MachineFacts& machine = facts.machine;
  machine.slices.look(facts.jvm, event.start_ns(), slices);
  machine.throttled_slices.look(facts.jvm, event.start_ns(), throttled);
  machine.throttled_ns.look(facts.jvm, event.start_ns(), time);
  machine.of_throttling.add(event.start_ns(), 0);
}

void take_processors(EventCells& event, Facts& facts) {
  facts.machine.hardware_threads = event.integer("hwThreads", -1);
}

void take_memory(EventCells& event, Facts& facts) { facts.machine.memory = event.number("totalSize", -1); }

void take_container(EventCells& event, Facts& facts) {
  facts.machine.container_cpus = event.integer("effectiveCpuCount", -1);
  facts.machine.container_memory = event.number("memoryLimit", -1);
}

void take_jvm(EventCells& event, Facts& facts) {
  SettingFacts& settings = facts.settings;
  settings.has_jvm = true;
  settings.jvm = event.text("jvmName");
  settings.arguments = event.whole_text("jvmArguments");
  settings.flags = event.whole_text("jvmFlags");
  settings.java_arguments = event.whole_text("javaArguments");
}

void take_heap_configuration(EventCells& event, Facts& facts) {
  facts.settings.has_heap = true;
  facts.settings.heap_max = event.number("maxSize", -1);
  std::map<uint32_t, HeapFacts>& heaps = facts.gc.heaps;
  if (heaps.size() < kMostHeaps || heaps.contains(facts.jvm)) heaps[facts.jvm].most = facts.settings.heap_max;
  facts.settings.compressed_oops = event.integer("usesCompressedOops", 1) != 0;
}

void take_collector(EventCells& event, Facts& facts) {
  facts.settings.has_collector = true;
  facts.settings.young = event.text("youngCollector");
  facts.settings.old = event.text("oldCollector");
}

void take_process(EventCells&, Facts& facts) { facts.machine.tells_processes = true; }

void take_loss(EventCells& event, Facts& facts) {
  const double amount = std::max(event.number("amount"), 0.0);
  facts.recording.lost_bytes += amount;
  facts.recording.losses.add(event.start_ns(), amount);
}

// count is of its chunk. Facts about samples are no losses (values/lost_samples.h).
void take_counter(EventCells& event, Facts& facts) {
  constexpr size_t kMostCauses = 256;
  const std::string cause = event.text("cause");
  auto& counters = facts.recording.counters;
  if (counters.size() < kMostCauses || counters.contains(cause))
    counters[cause] += static_cast<uint64_t>(std::clamp<int64_t>(event.integer("count"), 0, INT64_MAX >> 16));
}

void take_lost_samples(EventCells& event, Facts& facts) {
  facts.recording.cpu_samples_lost +=
      static_cast<uint64_t>(std::clamp<int64_t>(event.integer("lostSamples"), 0, INT64_MAX >> 16));
}

void take_cpu_time_sample(EventCells&, Facts& facts) { ++facts.recording.cpu_samples_taken; }

constexpr Gatherer kProcessGatherers[] = {
    {"jdk.CPULoad", take_cpu_load},
    {"jdk.ContainerCPUThrottling", take_throttling},
    {"jdk.CPUInformation", take_processors, Gatherer::Time::kAny},
    {"jdk.PhysicalMemory", take_memory, Gatherer::Time::kAny},
    {"jdk.ContainerConfiguration", take_container, Gatherer::Time::kAny},
    {"jdk.JVMInformation", take_jvm, Gatherer::Time::kAny},
    {"jdk.GCHeapConfiguration", take_heap_configuration, Gatherer::Time::kAny},
    {"jdk.GCConfiguration", take_collector, Gatherer::Time::kAny},
    {"jdk.SystemProcess", take_process},
    {"jdk.DataLoss", take_loss},
    {"rec.Counters", take_counter, Gatherer::Time::kAny},
    {"jdk.CPUTimeSample", take_cpu_time_sample},
    {"jdk.CPUTimeSamplesLost", take_lost_samples},
};

}  // namespace

std::span<const Gatherer> process_gatherers() { return kProcessGatherers; }

}  // namespace jrec
