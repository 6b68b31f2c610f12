// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/view_list.h"

namespace jrec {

using enum Aggregate;

namespace {

constexpr size_t kTop = 25;

View hot(std::string name, std::string title, std::string what, std::string type, std::string weight) {
  View view{.name = std::move(name),
            .title = std::move(title),
            .what = std::move(what),
            .types = {std::move(type)},
            .columns = {{"Method", kKey, "stackTrace"}, {"Samples", kCount}, {"Percent", kShareOfCount}},
            .order = 1,
            .limit = kTop};
  if (!weight.empty()) {
    view.columns[1] = {"Samples", kSum, weight, "", "", true};
    view.columns[2] = {"Percent", kShareOfSum, weight};
  }
  return view;
}

View allocation(std::string by, std::string caption, std::string field) {
  return {.name = "allocation-by-" + by,
          .title = "Allocation by " + caption,
          .what = "share of the bytes that were allocated",
          .types = {"jdk.ObjectAllocationSample"},
          .columns = {{caption, kKey, field}, {"Allocation Pressure", kShareOfSum, "weight"}},
          .order = 1,
          .limit = kTop};
}

// Before JDK 16 there are no samples, but each new buffer is an event.
View old_allocation(std::string by, std::string caption, std::string field) {
  View view = allocation(std::move(by), std::move(caption), std::move(field));
  view.types = {"jdk.ObjectAllocationInNewTLAB"};
  view.columns[1].field = "tlabSize";
  return view;
}

View exceptions(std::string by, std::string caption, std::string field) {
  return {.name = "exception-by-" + by,
          .title = "Exceptions by " + caption,
          .what = "exceptions and errors that were thrown",
          .types = {"jdk.JavaExceptionThrow", "jdk.JavaErrorThrow"},
          .columns = {{caption, kKey, field}, {"Count", kCount}},
          .order = 1,
          .limit = kTop};
}

// Where some stand for others.
View weighted_exceptions(std::string by, std::string caption, std::string field) {
  View view = exceptions(std::move(by), std::move(caption), std::move(field));
  view.types = {"jdk.JavaExceptionThrow"};
  view.columns[1] = {"Count", kSum, "weight", "", "", true};
  return view;
}

View leaks(std::string by, std::string caption, std::string field) {
  return {.name = "memory-leaks-by-" + by,
          .title = "Memory Leak Candidates by " + caption,
          .what = "old objects that are still alive",
          .types = {"jdk.OldObjectSample"},
          .columns = {{"Alloc. Time", kLast, "allocationTime"},
                      {caption, kKey, field},
                      {"Object Age", kLast, "objectAge"},
                      {"Heap Usage", kLast, "lastKnownHeapUsage"}},
          .order = 2};
}

}  // namespace

std::vector<View> application_views() {
  return {
      hot("hot-methods", "Java Methods that Execute the Most", "methods on top of the most samples",
          "jdk.ExecutionSample", "weight"),
      hot("hot-methods", "Java Methods that Execute the Most", "methods on top of the most samples",
          "jdk.ExecutionSample", ""),
      hot("hot-methods", "Java Methods that Execute the Most", "methods on top of the most samples",
          "jdk.CPUTimeSample", ""),
      hot("cpu-time-hot-methods", "Java Methods that Execute the Most, by CPU Time", "the same, sampled by CPU time",
          "jdk.CPUTimeSample", ""),
      {.name = "cpu-time-statistics",
       .title = "CPU Time Sample Statistics",
       .what = "how many samples by CPU time there are, and how many are missing",
       .types = {"jdk.CPUTimeSample", "jdk.CPUTimeSamplesLost"},
       .columns = {{"Successful Samples", kCount, "", "jdk.CPUTimeSample", "failed=false"},
                   {"Failed Samples", kCount, "", "jdk.CPUTimeSample", "failed=true"},
                   {"Biased Samples", kCount, "", "jdk.CPUTimeSample", "biased=true"},
                   {"Total Samples", kCount, "", "jdk.CPUTimeSample"},
                   {"Lost Samples", kSum, "lostSamples", "jdk.CPUTimeSamplesLost"}},
       .form = true},
      hot("native-methods", "Native Methods that Execute or Wait the Most", "native methods in samples",
          "jdk.NativeMethodSample", ""),
      allocation("class", "Object Type", "objectClass"),
      allocation("thread", "Thread", "eventThread"),
      allocation("site", "Method", "stackTrace"),
      old_allocation("class", "Object Type", "objectClass"),
      old_allocation("thread", "Thread", "eventThread"),
      old_allocation("site", "Method", "stackTrace"),
      {.name = "thread-allocation",
       .title = "Thread Allocation",
       .what = "bytes that each thread has allocated since it began",
       .types = {"jdk.ThreadAllocationStatistics"},
       .columns = {{"Thread", kKey, "thread"},
                   {"Allocated", kLast, "allocated"},
                   {"Percentage", kShareOfLast, "allocated"}},
       .order = 1},
      {.name = "thread-cpu-load",
       .title = "Thread CPU Load",
       .what = "the newest load of each thread",
       .types = {"jdk.ThreadCPULoad"},
       .columns = {{"Thread", kKey, "eventThread"}, {"System", kLast, "system"}, {"User", kLast, "user"}},
       .order = 2},
      {.name = "thread-count",
       .title = "Java Thread Statistics",
       .what = "how many threads there were",
       .types = {"jdk.JavaThreadStatistics"},
       .columns = {{"Time", kValue, "startTime"},
                   {"Active Threads", kValue, "activeCount"},
                   {"Daemon Threads", kValue, "daemonCount"},
                   {"Accumulated Threads", kValue, "accumulatedCount"},
                   {"Peak Threads", kValue, "peakCount"}},
       .order = 0,
       .ascending = true},
      {.name = "thread-start",
       .title = "Platform Thread Start by Method",
       .what = "threads that were started, where, and how long they lived",
       .types = {"jdk.ThreadStart", "jdk.ThreadEnd"},
       .columns = {{"Start Time", kFirst, "startTime", "jdk.ThreadStart", "", true},
                   {"Stack Trace", kFirst, "stackTrace", "jdk.ThreadStart"},
                   {"Thread", kKey, "thread"},
                   {"Duration", kDiff, "startTime"}},
       .order = 0,
       .ascending = true},
      {.name = "pinned-threads",
       .title = "Pinned Virtual Threads",
       .what = "where virtual threads kept their carriers",
       .types = {"jdk.VirtualThreadPinned"},
       .columns = {{"Method", kKey, "stackTrace"},
                   {"Pinned Count", kCount},
                   {"Longest Pinning", kMax, "duration"},
                   {"Total Time Pinned", kSum, "duration"}},
       .order = 3},
      {.name = "exception-count",
       .title = "Exception Statistics",
       .what = "how many exceptions were created",
       .types = {"jdk.ExceptionStatistics"},
       .columns = {{"Exceptions Thrown", kDiff, "throwables"}},
       .form = true},
      weighted_exceptions("type", "Class", "thrownClass"),
      weighted_exceptions("message", "Message", "message"),
      weighted_exceptions("site", "Method", "stackTrace.@thrower"),
      exceptions("type", "Class", "thrownClass"),
      exceptions("message", "Message", "message"),
      exceptions("site", "Method", "stackTrace.@thrower"),
      {.name = "class-loaders",
       .title = "Class Loaders",
       .what = "classes of each loader",
       .types = {"jdk.ClassLoaderStatistics"},
       .columns = {{"", kKey, "classLoaderData"},
                   {"Class Loader", kLast, "classLoader"},
                   {"Hidden Classes", kLast, "hiddenClassCount"},
                   {"Classes", kLast, "classCount"}},
       .order = 3},
      {.name = "longest-class-loading",
       .title = "Longest Class Loading",
       .what = "classes that took longest to load",
       .types = {"jdk.ClassLoad"},
       .columns = {{"Time", kValue, "startTime"},
                   {"Loaded Class", kValue, "loadedClass"},
                   {"Load Time", kValue, "duration"}},
       .order = 2,
       .limit = kTop},
      {.name = "modules",
       .title = "Modules",
       .what = "modules that were required or exported",
       .types = {"jdk.ModuleRequire"},
       .columns = {{"Name", kKey, "source.name"}},
       .order = 0,
       .ascending = true},
      {.name = "deprecated-methods-for-removal",
       .title = "Deprecated Methods for Removal",
       .what = "methods that will go away, and who calls them (JDK 22 and later)",
       .types = {"jdk.DeprecatedInvocation"},
       .columns = {{"Deprecated Method", kKey, "method"}, {"Called from", kKey, "stackTrace.@site"}},
       .when = "forRemoval=true"},
      {.name = "finalizers",
       .title = "Finalizers",
       .what = "classes with finalizers",
       .types = {"jdk.FinalizerStatistics"},
       .columns = {{"Class Overriding Finalize", kKey, "finalizableClass"},
                   {"Finalizable Objects on Heap", kLast, "objects"},
                   {"Finalizers Run", kLast, "totalFinalizersRun"}},
       .order = 2,
       .each_jvm = true},
      {.name = "object-statistics",
       .title = "Objects that Occupy More than 1%",
       .what = "live objects by class",
       .types = {"jdk.ObjectCount"},
       .columns = {{"Class", kKey, "objectClass"},
                   {"Count", kLast, "count"},
                   {"Heap Space", kLast, "totalSize"},
                   {"Increase", kDiff, "totalSize"}},
       .order = 2,
       .each_jvm = true},
      leaks("class", "Object Class", "object.type"),
      leaks("site", "Application Method", "stackTrace.@site"),
      {.name = "monitor-inflation",
       .title = "Monitor Inflation",
       .what = "locks that became heavy, and where",
       .types = {"jdk.JavaMonitorInflate"},
       .columns = {{"Method", kKey, "stackTrace"},
                   {"Monitor Class", kKey, "monitorClass"},
                   {"Count", kCount},
                   {"Total Duration", kSum, "duration"}},
       .order = 2},
      {.name = "method-timing",
       .title = "Method Timing",
       .what = "methods that were timed (JDK 25 and later)",
       .types = {"jdk.MethodTiming"},
       .columns = {{"Timed Method", kKey, "method"},
                   {"Count", kLast, "invocations"},
                   {"Minimum Time", kLast, "minimum"},
                   {"Average Time", kLast, "average"},
                   {"Maximum Time", kLast, "maximum"}},
       .order = 3,
       .each_jvm = true},
      {.name = "method-calls",
       .title = "Method Calls",
       .what = "methods that were traced (JDK 25 and later)",
       .types = {"jdk.MethodTrace"},
       .columns = {{"Traced Method", kKey, "method"}, {"Caller", kKey, "stackTrace"}, {"Invocations", kCount}},
       .order = 2},
  };
}

}  // namespace jrec
