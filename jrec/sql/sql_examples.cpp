// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sql_examples.h"

namespace jrec {
namespace {

// Samples of CPU time as the other commands choose them. The types are named, so that other events are passed over.
#define CPU_SAMPLES "event in ('jdk.ExecutionSample', 'jdk.CPUTimeSample') and is_cpu = 1"

constexpr SqlExample kExamples[] = {
    {"recordings", "what there is, and from when",
     "select recording, name, service, datetime(start_ns / 1000000000, 'unixepoch') as start,\n"
     "       (end_ns - start_ns) / 1000000000 as seconds, chunks, bytes\n"
     "from recordings order by start_ns"},
    {"event-types", "how many events there are of each type",
     "select type, sum(events) as events, sum(bytes) as bytes\n"
     "from event_types group by type order by events desc"},
    {"hot-methods", "where CPU time goes",
     "select top as method, sum(weight) as samples,\n"
     "       round(100.0 * sum(weight) / sum(sum(weight)) over (), 1) as percent\n"
     "from samples where " CPU_SAMPLES "\n"
     "group by top order by samples desc limit 20"},
    {"hot-by-service", "the hottest method of each service",
     "select service, method, samples from (\n"
     "  select r.service, s.top as method, sum(weight) as samples,\n"
     "         row_number() over (partition by r.service order by sum(weight) desc) as place\n"
     "  from samples s join recordings r using (recording)\n"
     "  where " CPU_SAMPLES " group by 1, 2)\n"
     "where place = 1"},
    {"busy-threads", "which threads take CPU time",
     "select thread, sum(weight) as samples\n"
     "from samples where " CPU_SAMPLES "\n"
     "group by thread order by samples desc limit 20"},
    {"per-minute", "CPU samples of each minute",
     "select datetime(time_ns / 60000000000 * 60, 'unixepoch') as minute, sum(weight) as samples\n"
     "from samples where " CPU_SAMPLES "\n"
     "group by minute order by minute"},
    {"callers", "who calls a method: the frame below java.util.HashMap.*",
     "select caller.method as caller, callee.method as callee, sum(s.weight) as samples\n"
     "from (select stack, sum(weight) as weight from samples\n"
     "      where " CPU_SAMPLES " group by stack) s\n"
     "join frames callee on callee.stack = s.stack\n"
     "join frames caller on caller.stack = s.stack and caller.level = callee.level + 1\n"
     "where callee.class = 'java.util.HashMap' and caller.class <> 'java.util.HashMap'\n"
     "group by 1, 2 order by samples desc limit 20"},
    {"packages", "CPU samples by the package of the topmost method that is not the JDK's",
     "select (select rtrim(rtrim(f.class, replace(f.class, '.', '')), '.') from frames f\n"
     "        where f.stack = s.stack and f.class not like 'java.%' and f.class not like 'jdk.%' and f.class not like "
     "'sun.%'\n"
     "        order by f.level limit 1) as package, sum(s.samples) as samples\n"
     "from (select stack, sum(weight) as samples from samples\n"
     "      where " CPU_SAMPLES " group by stack) s\n"
     "group by package order by samples desc limit 20"},
    {"flame", "distinct stacks with their samples, as flame graphs take them",
     "select t.text, s.samples\n"
     "from (select stack, sum(weight) as samples from samples\n"
     "      where " CPU_SAMPLES " group by stack) s\n"
     "join stacks t using (stack) order by s.samples desc"},
    {"gc-pauses", "how long collections stop the program",
     "select name, cause, count(*) as collections, round(sum(sumOfPauses) / 1e6, 1) as ms,\n"
     "       round(max(longestPause) / 1e6, 1) as longest_ms\n"
     "from events_jdk_GarbageCollection group by name, cause order by ms desc"},
    {"allocation", "what is allocated, and where",
     "select objectClass, stackTrace_top as site, round(sum(weight) / 1e6, 1) as mb\n"
     "from events_jdk_ObjectAllocationSample group by 1, 2 order by sum(weight) desc limit 20"},
    {"locks", "which monitors threads wait for",
     "select monitorClass, stackTrace_top as site, count(*) as waits, round(sum(duration) / 1e6, 1) as ms\n"
     "from events_jdk_JavaMonitorEnter group by 1, 2 order by sum(duration) desc limit 20"},
    {"exceptions", "which errors are thrown, and where",
     "select thrownClass, stackTrace_top as site, sum(coalesce(weight, 1)) as thrown\n"
     "from events_jdk_JavaExceptionThrow group by 1, 2 order by thrown desc limit 20"},
    {"lost", "what recordings say they have lost",
     "select event, cause, sum(count) as lost from losses group by 1, 2 order by 1, 3 desc"},
};

#undef CPU_SAMPLES

}  // namespace

std::span<const SqlExample> sql_examples() { return kExamples; }

}  // namespace jrec
