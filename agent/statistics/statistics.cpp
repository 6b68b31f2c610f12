// SPDX-License-Identifier: Apache-2.0
#include "agent/statistics/statistics.h"

#include <initializer_list>

#include "agent/options/log.h"
#include "agent/process/loaded_libraries.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

using jfr::ByteSink;
using jfr::TypeId;

constexpr int64_t kSecondNs = 1'000'000'000;

}  // namespace

void Statistics::open(int64_t interval_ns) {
  interval_ns_.store(interval_ns, std::memory_order_relaxed);
  next_ticks_ = 0;
  if (interval_ns == 0) return;
  threads_.open();
  if (!sources_.counters.known())
    say(LogLevel::kInfo, "this JVM keeps no counters (-XX:-UsePerfData): no statistics of threads and classes");
  if (!sources_.heap.known()) say(LogLevel::kInfo, "this JVM does not tell how full its heap is: no jdk.GCHeapSummary");
}

std::vector<TypeId> Statistics::types() const {
  std::vector<TypeId> all = {TypeId::kThreadCpuLoad,          TypeId::kThreadAllocationStatistics,
                             TypeId::kPhysicalMemory,         TypeId::kSwapSpace,
                             TypeId::kResidentSetSize,        TypeId::kNativeLibrary,
                             TypeId::kThreadContextSwitchRate};
  const auto add = [&](bool is_told, std::initializer_list<TypeId> types) {
    if (is_told) all.insert(all.end(), types);
  };
  const ControlGroup& group = sources_.group;
  add(sources_.counters.known(), {TypeId::kJavaThreadStatistics, TypeId::kClassLoadingStatistics});
  add(sources_.heap.known(), {TypeId::kGcHeapSummary});
  add(group.has_memory() || group.has_cpu(), {TypeId::kContainerConfiguration});
  add(group.has_memory(), {TypeId::kContainerMemoryUsage});
  add(group.has_cpu(), {TypeId::kContainerCpuUsage, TypeId::kContainerCpuThrottling});
  return all;
}

void Statistics::tend() {
  const int64_t now = base::now_ticks();
  const int64_t interval_ns = interval_ns_.load(std::memory_order_relaxed);
  if (interval_ns == 0 || now < next_ticks_) return;
  next_ticks_ = now + interval_ns;
  look();
}

void Statistics::last_look() {
  if (interval_ns_.load(std::memory_order_relaxed) != 0) look();
}

void Statistics::look() {
  const bool again = looks_++ % kRepeat == 0;
  const int64_t now = base::now_ticks();
  threads_.look(again);
  write_counters(now);
  const MachineMemory machine = read_machine_memory();
  write_memory(now, machine);
  write_switches(now);
  write_libraries(now, again);
  write_group(now, machine, again);
}

void Statistics::write_counters(int64_t now) {
  const VmCounts counts = sources_.counters.read();
  if (counts.threads != kNotCounted)
    write_figures(TypeId::kJavaThreadStatistics, now,
                  figures({counts.threads, counts.daemons, counts.started, counts.peak}));
  if (counts.classes_loaded != kNotCounted)
    write_figures(TypeId::kClassLoadingStatistics, now, figures({counts.classes_loaded, counts.classes_unloaded}));
}

void Statistics::write_memory(int64_t now, const MachineMemory& machine) {
  if (const ResidentMemory resident = read_resident_memory(); resident.now != kNotTold)
    write_figures(TypeId::kResidentSetSize, now, figures({resident.now, resident.peak}));
  if (machine.total != kNotTold && machine.available != kNotTold)
    write_figures(TypeId::kPhysicalMemory, now, figures({machine.total, machine.total - machine.available}));
  if (machine.swap_total != kNotTold)
    write_figures(TypeId::kSwapSpace, now, figures({machine.swap_total, machine.swap_free}));
}

// A rate needs two looks.
void Statistics::write_switches(int64_t now) {
  const int64_t switches = context_switches(), before = switches_, time_ns = now - switches_ticks_;
  switches_ = switches;
  switches_ticks_ = now;
  if (switches == kNotTold || before == kNotTold || switches < before || time_ns <= 0) return;
  ByteSink out;
  out.f32(static_cast<float>(static_cast<double>(switches - before) * kSecondNs / static_cast<double>(time_ns)));
  write_figures(TypeId::kThreadContextSwitchRate, now, out);
}

void Statistics::write_libraries(int64_t now, bool again) {
  const uint64_t changes = library_changes();
  if (changes == libraries_ && !again) return;
  libraries_ = changes;
  for (const LoadedLibrary& library : loaded_libraries()) {
    ByteSink out;
    out.text(library.name);
    for (const uint64_t address : {library.base, library.top}) out.leb(address);
    write_figures(TypeId::kNativeLibrary, now, out);
  }
}

void Statistics::write_group(int64_t now, const MachineMemory& machine, bool again) {
  const ControlGroup& group = sources_.group;
  const GroupMemory memory = group.memory();
  const GroupCpu cpu = group.cpu();
  if (group.has_memory() || group.has_cpu()) write_group_limits(now, machine, memory, cpu, again);
  if (memory.usage != kNotTold)
    write_figures(TypeId::kContainerMemoryUsage, now, figures({memory.failures, memory.usage, memory.with_swap}));
  if (cpu.used_ns != kNotTold)
    write_figures(TypeId::kContainerCpuUsage, now, figures({cpu.used_ns, cpu.user_ns, cpu.system_ns}));
  if (cpu.periods != kNotTold)
    write_figures(TypeId::kContainerCpuThrottling, now,
                  figures({cpu.periods, cpu.throttled_periods, cpu.throttled_ns}));
}

void Statistics::write_group_limits(int64_t now, const MachineMemory& machine, const GroupMemory& memory,
                                    const GroupCpu& cpu, bool again) {
  ByteSink out;
  out.text(sources_.group.type());
  for (const int64_t each : {cpu.period_us, cpu.quota_us, cpu.shares, usable_processors(cpu), memory.soft_limit,
                             memory.limit, memory.swap_limit, machine.total, machine.swap_total})
    out.leb_i64(each);
  std::string limits(reinterpret_cast<const char*>(out.bytes().data()), out.size());
  if (limits == limits_ && !again) return;
  limits_ = std::move(limits);
  write_figures(TypeId::kContainerConfiguration, now, out);
}

void Statistics::collection(uint32_t number, HeapLook look) const {
  if (interval_ns_.load(std::memory_order_relaxed) == 0 || !sources_.heap.known()) return;
  const EpochPin pin;
  if (!pin || !commit_heap_summary(*pin, base::now_ticks(), number, look, static_cast<uint64_t>(sources_.heap.used())))
    Engine::losses().note(Note::kEventsRefused);
}

}  // namespace rec::agent
