// SPDX-License-Identifier: Apache-2.0
// Fields of the statistics, in JFR's names and units (JDK 25). For metadata_events.cpp alone.
#pragma once

#include "format/writer/metadata_schema.h"

namespace jfr {

inline constexpr Field kThreadCpuLoad[] = {
    start_time(),
    event_thread(),
    value("user", TypeId::kFloat, "User Mode CPU Load").percentage(),
    value("system", TypeId::kFloat, "System Mode CPU Load").percentage(),
};
inline constexpr Field kThreadAllocationStatistics[] = {
    start_time(),
    ref("thread", TypeId::kThread, "Thread"),
    value("allocated", TypeId::kLong, "Allocated").no_sign().bytes().about("Bytes since the thread started"),
};
inline constexpr Field kJavaThreadStatistics[] = {
    start_time(),
    value("activeCount", TypeId::kLong, "Active Threads").about("Live threads, daemons among them"),
    value("daemonCount", TypeId::kLong, "Daemon Threads"),
    value("accumulatedCount", TypeId::kLong, "Accumulated Threads").about("Started since the JVM did"),
    value("peakCount", TypeId::kLong, "Peak Threads"),
};
inline constexpr Field kClassLoadingStatistics[] = {
    start_time(),
    value("loadedClassCount", TypeId::kLong, "Loaded Class Count").about("Since the JVM started"),
    value("unloadedClassCount", TypeId::kLong, "Unloaded Class Count").about("Since the JVM started"),
};
inline constexpr Field kExceptionStatistics[] = {
    start_time(),
    value("throwables", TypeId::kLong, "Exceptions Created").about("Since the recording began"),
};
inline constexpr Field kGcHeapSummary[] = {
    start_time(),
    value("gcId", TypeId::kInt, "GC Identifier").gc_id(),
    ref("when", TypeId::kGcWhen, "When"),
    value("heapUsed", TypeId::kLong, "Heap Used").no_sign().bytes(),
};
inline constexpr Field kPhysicalMemory[] = {
    start_time(),
    value("totalSize", TypeId::kLong, "Total Size").no_sign().bytes(),
    value("usedSize", TypeId::kLong, "Used Size").no_sign().bytes(),
};
inline constexpr Field kSwapSpace[] = {
    start_time(),
    value("totalSize", TypeId::kLong, "Total Size").bytes(),
    value("freeSize", TypeId::kLong, "Free Size").bytes(),
};
inline constexpr Field kResidentSetSize[] = {
    start_time(),
    value("size", TypeId::kLong, "Resident Set Size").no_sign().bytes(),
    value("peak", TypeId::kLong, "Resident Set Size Peak Value").no_sign().bytes(),
};
constexpr Field address(const char* name, const char* label) {
  return value(name, TypeId::kLong, label).no_sign().with({AnnotationId::kMemoryAddress});
}
inline constexpr Field kNativeLibrary[] = {
    start_time(),
    value("name", TypeId::kString, "Name"),
    address("baseAddress", "Base Address"),
    address("topAddress", "Top Address"),
};
inline constexpr Field kThreadContextSwitchRate[] = {start_time(),
                                                     value("switchRate", TypeId::kFloat, "Switch Rate").frequency()};
inline constexpr Field kContainerConfiguration[] = {
    start_time(),
    value("containerType", TypeId::kString, "Container Type"),
    value("cpuSlicePeriod", TypeId::kLong, "CPU Slice Period").timespan("MICROSECONDS"),
    value("cpuQuota", TypeId::kLong, "CPU Quota").timespan("MICROSECONDS"),
    value("cpuShares", TypeId::kLong, "CPU Shares"),
    value("effectiveCpuCount", TypeId::kLong, "Effective CPU Count"),
    value("memorySoftLimit", TypeId::kLong, "Memory Soft Limit").bytes(),
    value("memoryLimit", TypeId::kLong, "Memory Limit").bytes(),
    value("swapMemoryLimit", TypeId::kLong, "Memory and Swap Limit").bytes(),
    value("hostTotalMemory", TypeId::kLong, "Container Host Total Memory").bytes(),
    value("hostTotalSwapMemory", TypeId::kLong, "Container Host Total Swap Memory").bytes(),
};
inline constexpr Field kContainerCpuUsage[] = {
    start_time(),
    value("cpuTime", TypeId::kLong, "CPU Time").timespan("NANOSECONDS"),
    value("cpuUserTime", TypeId::kLong, "CPU User Time").timespan("NANOSECONDS"),
    value("cpuSystemTime", TypeId::kLong, "CPU System Time").timespan("NANOSECONDS"),
};
inline constexpr Field kContainerCpuThrottling[] = {
    start_time(),
    value("cpuElapsedSlices", TypeId::kLong, "CPU Elapsed Slices"),
    value("cpuThrottledSlices", TypeId::kLong, "CPU Throttled Slices"),
    value("cpuThrottledTime", TypeId::kLong, "CPU Throttled Time").timespan("NANOSECONDS"),
};
inline constexpr Field kContainerMemoryUsage[] = {
    start_time(),
    value("memoryFailCount", TypeId::kLong, "Memory Fail Count"),
    value("memoryUsage", TypeId::kLong, "Memory Usage").bytes(),
    value("swapMemoryUsage", TypeId::kLong, "Memory and Swap Usage").bytes(),
};

constexpr Field amount(const char* name, const char* label) { return value(name, TypeId::kLong, label).bytes(); }
// Ours: -1 is "not known".
inline constexpr Field kRecMemoryUse[] = {
    start_time(),
    amount("resident", "Resident"),
    amount("residentPeak", "Resident, Peak"),
    amount("heapUsed", "Heap Used"),
    amount("heapCommitted", "Heap Committed").about("As the JVM noted it last, which it does after a collection"),
    amount("metaspaceUsed", "Metaspace Used").about("Likewise"),
    amount("metaspaceCommitted", "Metaspace Committed").about("Likewise"),
    amount("groupUsage", "Control Group"),
    amount("groupInactive", "Control Group, Inactive Files").about("What of it the kernel drops first"),
    amount("groupUsageWithSwap", "Control Group with Swap"),
    amount("groupLimit", "Control Group Limit"),
    amount("groupLimitWithSwap", "Control Group Limit with Swap"),
    value("groupFailures", TypeId::kLong, "Limit Met").about("Times since the group was made"),
    value("groupKills", TypeId::kLong, "Killed").about("Processes that the kernel killed for the group's limit"),
    value("groupStalled", TypeId::kLong, "Stalled").about("us in which some task waited for memory; of version 2"),
};
inline constexpr Field kRecMemoryKinds[] = {
    start_time(),
    amount("javaHeap", "Java Heap"),
    amount("codeCache", "Code Cache"),
    amount("threadStacks", "Thread Stacks"),
    amount("native", "Native").about("malloc, metaspace, what collectors and compilers need"),
    amount("files", "Files"),
    amount("shared", "Shared"),
    amount("swapped", "Swapped"),
    value("cost", TypeId::kLong, "Cost").timespan("NANOSECONDS").about("CPU time of the look itself"),
};

}  // namespace jfr
