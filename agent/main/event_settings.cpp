// SPDX-License-Identifier: Apache-2.0
#include "agent/main/event_settings.h"

#include <string>

#include "agent/main/process_facts.h"
#include "agent/safepoint/settings.h"

namespace rec::agent {
namespace {

using jfr::TypeId;

void add(std::vector<EventSetting>& all, TypeId type, const char* name, std::string value) {
  all.push_back({type, "enabled", "true"});
  all.push_back({type, name, std::move(value)});
}

// What each recording has, whatever its clocks are. Some of it does not happen in each: then a reader knows that it would be there.
void add_always(std::vector<EventSetting>& all) {
  for (const TypeId type :
       {TypeId::kGarbageCollection, TypeId::kThreadStart, TypeId::kThreadEnd, TypeId::kCpuLoad, TypeId::kShutdown})
    all.push_back({type, "enabled", "true"});
}

void add_statistics(std::vector<EventSetting>& all, const Options& options, const std::vector<TypeId>& types) {
  for (const TypeId type : types) {
    all.push_back({type, "enabled", "true"});
    if (type != TypeId::kGcHeapSummary) all.push_back({type, "period", period_text(options.statistics_ns)});
  }
}

// A late thread's threshold is that of its safepoint.
void add_safepoints(std::vector<EventSetting>& all, const Options& options) {
  for (const TypeId type : {TypeId::kRecTimeToSafepoint, TypeId::kRecSafepointStop, TypeId::kRecGcLockerStall})
    add(all, type, "threshold", period_text(options.safepoint_ns));
  SafepointSettings settings;
  settings.threshold_ns = options.safepoint_ns;
  settings.poll_ns = options.safepoint_poll_ns;
  settings.waits_ns = options.safepoint_waits_ns;
  settings = settings.with_defaults();
  std::string waits;
  for (const int64_t wait : settings.waits_ns) waits += (waits.empty() ? "" : ", ") + period_text(wait);
  all.push_back({TypeId::kRecTimeToSafepoint, "period", period_text(settings.poll_ns)});
  add(all, TypeId::kRecLateStack, "waits", waits);
  all.push_back({TypeId::kRecLateStack, "period", period_text(options.safepoint_interval_ns)});
}

}  // namespace

std::vector<EventSetting> event_settings(const Options& options, const ClockChoice& cpu,
                                         const std::vector<TypeId>& statistics) {
  std::vector<EventSetting> all;
  add_always(all);
  if (options.statistics_ns != 0) add_statistics(all, options, statistics);
  if (options.blackbox_ns != 0) add(all, TypeId::kRecMemoryUse, "period", period_text(options.blackbox_ns));
  const bool cpu_time = options.sample_event == SampleEvent::kCpuTimeSample;
  const TypeId sample = cpu_time ? TypeId::kCpuTimeSample : TypeId::kExecutionSample;
  if (options.samples_cpu()) {
    add(all, sample, "period", period_text(cpu.period_ns));
    all.push_back({sample, "clock", cpu.name()});
  }
  if (options.samples_alloc())
    add(all, TypeId::kObjectAllocationSample, "interval", std::to_string(options.alloc_bytes));
  if (options.samples_wall()) add(all, TypeId::kWallClockSample, "period", period_text(options.wall_ns));
  if (options.samples_live()) add(all, TypeId::kOldObjectSample, "interval", std::to_string(options.live_bytes));
  if (options.samples_nativemem()) {
    add(all, TypeId::kMalloc, "interval", std::to_string(options.nativemem_bytes));
    all.push_back({TypeId::kFree, "enabled", options.follows_frees ? "true" : "false"});
  }
  if (options.records_exceptions()) {
    const int64_t rate = options.exceptions_per_second;
    add(all, TypeId::kJavaExceptionThrow, "throttle", rate == 0 ? "off" : std::to_string(rate) + "/s");
    add(all, TypeId::kExceptionStatistics, "period", "1000 ms");
  }
  if (options.records_locks())
    for (const TypeId type : {TypeId::kJavaMonitorEnter, TypeId::kJavaMonitorWait, TypeId::kThreadPark,
                              TypeId::kRecMonitorOwner, TypeId::kThreadSleep, TypeId::kVirtualThreadPinned})
      add(all, type, "threshold", std::to_string(options.lock_ns) + " ns");
  if (options.context != ContextKind::kOff)
    add(all, TypeId::kRecSpan, "threshold", std::to_string(options.spans_ns) + " ns");
  if (options.safepoint_ns != 0) add_safepoints(all, options);
  if (options.thread_dump_ns != 0) add(all, TypeId::kThreadDump, "period", period_text(options.thread_dump_ns));
  return all;
}

}  // namespace rec::agent
