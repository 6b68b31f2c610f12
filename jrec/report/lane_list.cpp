// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/lane_list.h"

namespace jrec {
namespace {

using enum LaneSeries::How;

constexpr LaneSeries kSeries[] = {
    {"load", "CPU load", "share", "JVM, user", "area", "jdk.CPULoad", "jvmUser"},
    {"load", "CPU load", "share", "JVM, system", "area", "jdk.CPULoad", "jvmSystem"},
    {"load", "CPU load", "share", "machine", "line", "jdk.CPULoad", "machineTotal", kValue,
     LaneSeries::Together::kMost},
    {"heap", "Heap", "bytes", "used", "area", "jdk.GCHeapSummary", "heapUsed"},
    {"heap", "Heap", "bytes", "committed", "line", "jdk.GCHeapSummary", "heapSpace.committedSize"},
    {"waits", "Locks and parks", "threads", "monitors", "bar", "jdk.JavaMonitorEnter", "duration", kSpread},
    {"waits", "Locks and parks", "threads", "parked", "bar", "jdk.ThreadPark", "duration", kSpread},
    {"thrown", "Exceptions", "per second", "created", "area", "jdk.ExceptionStatistics", "throwables", kRate},
    {"resident", "Memory", "bytes", "resident", "line", "jdk.ResidentSetSize", "size"},
    {"resident", "Memory", "bytes", "resident", "line", "rec.MemoryUse", "resident"},
    {"live", "Java threads", "count", "alive", "line", "jdk.JavaThreadStatistics", "activeCount"},
};

constexpr MarkKind kMarks[] = {
    {"collection", "Collection", "jdk.GarbageCollection", "", {"name", "cause", "longestPause"}},
    {"pause", "Pause", "jdk.GCPhasePause", "", {"name"}},
    {"stop", "Safepoint", "rec.SafepointStop", "", {"operation", "cause"}},
    {"operation", "VM operation", "jdk.ExecuteVMOperation", "", {"operation"}},
    {"late", "Late to safepoint", "rec.TimeToSafepoint", "", {"operation", "kind", "lateThreads"}},
    {"reaching", "Reaching a safepoint", "jdk.SafepointBegin", "", {"totalThreadCount"}},
    {"locker", "Collection held up", "rec.GcLockerStall", "", {"operation", "cause"}},
};

}  // namespace

std::span<const LaneSeries> lane_series() { return kSeries; }
std::span<const MarkKind> mark_kinds() { return kMarks; }

}  // namespace jrec
