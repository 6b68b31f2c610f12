// SPDX-License-Identifier: Apache-2.0
// For each rule of `jrec findings` a recording in which it fires, and one that is like it and in which it does not.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"

namespace test::findings_rules {

using namespace made;

// What jrec findings says, no line of it broken.
inline std::string told_of(const MadeEvents& events) {
  const Workplace place;
  return hear(place, {"findings", place.write("a.jfr", events.bytes()), "--width", "1000"}).out;
}

// --- What recordings are made of ---

// CPU time in many methods, none of which is hot.
inline MadeEvents spread_out(int samples = 300) {
  MadeEvents made;
  for (int i = 0; i < 10; ++i)
    made.samples(samples / 10, {"app.Work" + std::to_string(i) + ".run", "java.lang.Thread.run"});
  return made;
}
inline MadeEvents with_samples(int samples, const Frames& frames) { return spread_out().samples(samples, frames); }

inline MadeEvents& collection(MadeEvents& made, const std::string& name, const std::string& cause, int64_t at_ms,
                              int64_t pause_ms) {
  return made.add("jdk.GarbageCollection", at_ms,
                  {{"name", text(name)},
                   {"cause", text(cause)},
                   {"sumOfPauses", span_ms(pause_ms)},
                   {"longestPause", span_ms(pause_ms)}});
}
inline MadeEvents collections(int count, const std::string& name, const std::string& cause, int64_t pause_ms) {
  MadeEvents made;
  for (int i = 0; i < count; ++i) collection(made, name, cause, i * 1000, pause_ms);
  return made;
}
inline MadeEvents heap_after(const std::string& collector, int count, const std::function<int64_t(int)>& bytes) {
  MadeEvents made;
  for (int i = 0; i < count; ++i) {
    collection(made, collector, "Ergonomics", i * 4000, 5);
    made.add("jdk.GCHeapSummary", i * 4000 + 5, {{"when", text("After GC")}, {"heapUsed", whole(bytes(i))}});
    made.add("jdk.GCHeapSummary", i * 4000 - 1, {{"when", text("Before GC")}, {"heapUsed", whole(900'000'000)}});
  }
  return made;
}

inline MadeEvents allocations(const std::string& type, int64_t bytes_each) {
  MadeEvents made;
  for (int i = 0; i < 120; ++i) {
    const bool other = i % 2 == 0;
    const std::string site = other ? "app.Other" + std::to_string(i % 20) + ".run" : "app.Orders.parse";
    made.add("jdk.ObjectAllocationSample", i * 100,
             {{"stackTrace", stack({"java.util.ArrayList.grow", site})},
              {"objectClass", klass(other ? "app.Other" : type)},
              {"weight", whole(bytes_each)}});
  }
  return made;
}

inline MadeEvents monitors(int count, int64_t ms_each) {
  MadeEvents made;
  for (int i = 0; i < count; ++i)
    made.add("jdk.JavaMonitorEnter", i * 100,
             {{"duration", span_ms(ms_each)},
              {"monitorClass", text("app.Cache")},
              {"previousOwner", text("writer-1")},
              {"stackTrace", stack({"app.Cache.get", "app.Main.run"})}});
  return made;
}

inline MadeEvents parks(int count, int64_t ms_each, const std::string& what) {
  MadeEvents made;
  for (int i = 0; i < count; ++i)
    made.add("jdk.ThreadPark", i * 100,
             {{"duration", span_ms(ms_each)},
              {"parkedClass", text(what)},
              {"stackTrace", stack({"jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.ReentrantLock.lock",
                                    "app.Cache.get", "app.Main.run"})}});
  return made;
}

inline MadeEvents late_safepoint(int64_t ms, const char* kind = "safepoint") {
  MadeEvents made;
  made.add("rec.TimeToSafepoint", 1000,
           {{"duration", span_ms(ms)}, {"safepointId", whole(7)}, {"reached", whole(1)}, {"kind", text(kind)}});
  made.add(
      "rec.LateToSafepoint", 1000,
      {{"duration", span_ms(ms)}, {"safepointId", whole(7)}, {"stackTrace", stack({"app.Loop.sum", "app.Main.run"})}});
  return made;
}

inline MadeEvents loads(int count, double jvm, double machine) {
  MadeEvents made;
  for (int i = 0; i < count; ++i)
    made.add("jdk.CPULoad", i * 1000,
             {{"jvmUser", real(jvm)}, {"jvmSystem", real(0)}, {"machineTotal", real(machine)}});
  return made;
}

inline MadeEvents quota(int64_t slices, int64_t throttled) {
  MadeEvents made;
  for (const int64_t part : {0, 1, 2})
    made.add("jdk.ContainerCPUThrottling", part * 20'000,
             {{"cpuElapsedSlices", whole(1000 + slices * part / 2)},
              {"cpuThrottledSlices", whole(30 + throttled * part / 2)},
              {"cpuThrottledTime", whole(throttled * part * 10'000'000)}});
  return made;
}

inline MadeEvents thrown(const std::string& type, int count, double weight = 1) {
  MadeEvents made;
  for (int i = 0; i < count; ++i)
    made.add("jdk.JavaExceptionThrow", i * 10,
             {{"thrownClass", text(type)},
              {"stackTrace", stack({"java.lang.Throwable.<init>", "app.Orders.check"})},
              {"eventThread", text("worker-1")},
              {"weight", real(weight)}});
  return made;
}

inline MadeEvents dump(const std::string& words) {
  return MadeEvents().add("jdk.ThreadDump", 10, {{"result", text(words)}});
}

inline MadeEvents classes(const std::function<int64_t(int)>& loaded) {
  MadeEvents made;
  for (int i = 0; i < 40; ++i)
    made.add("jdk.ClassLoadingStatistics", i * 1000,
             {{"loadedClassCount", whole(loaded(i))}, {"unloadedClassCount", whole(100)}});
  return made;
}

inline MadeEvents repeated(const std::string& type, int count, const MadeEvents::Fields& fields) {
  MadeEvents made;
  for (int i = 0; i < count; ++i) made.add(type, i * 10, fields);
  return made;
}

inline MadeEvents threads_started(int count) {
  return repeated("jdk.ThreadStart", count, {{"thread", text("pool-3-thread-17")}});
}

inline MadeEvents threads_alive(const std::function<int64_t(int)>& count) {
  MadeEvents made;
  for (int i = 0; i < 40; ++i) made.add("jdk.JavaThreadStatistics", i * 1000, {{"activeCount", whole(count(i))}});
  return made;
}

inline constexpr int64_t kGiB = int64_t{1} << 30;

inline MadeEvents heap_limit(int64_t bytes, int64_t compressed) {
  return MadeEvents().add("jdk.GCHeapConfiguration", 1,
                          {{"maxSize", whole(bytes)}, {"usesCompressedOops", whole(compressed)}});
}
inline MadeEvents arguments(const std::string& words) {
  return MadeEvents().add("jdk.JVMInformation", 1,
                          {{"jvmName", text("OpenJDK 64-Bit Server VM")},
                           {"jvmArguments", text(words)},
                           {"jvmFlags", text("")},
                           {"javaArguments", text("app.Main")}});
}
inline MadeEvents collector_on(const std::string& old, int64_t cpus) {
  return MadeEvents()
      .add("jdk.GCConfiguration", 1, {{"youngCollector", text("")}, {"oldCollector", text(old)}})
      .add("jdk.CPUInformation", 1, {{"hwThreads", whole(cpus)}});
}

inline MadeEvents counted(int64_t lost) {
  return spread_out()
      .add("rec.Counters", 5, {{"cause", text("logFull")}, {"count", whole(lost)}})
      .add("rec.Counters", 5, {{"cause", text("samples")}, {"count", whole(300)}});
}

inline MadeEvents collector_cpu(int64_t cpu_ms) {
  return collections(3, "G1New", "G1 Evacuation Pause", 1)
      .add("jdk.GCCPUTime", 9, {{"userTime", span_ms(cpu_ms)}, {"systemTime", span_ms(0)}})
      .add("jdk.CPUInformation", 1, {{"hwThreads", whole(4)}})
      .add("jdk.CPULoad", 1000, {{"jvmUser", real(0.25)}, {"jvmSystem", real(0)}, {"machineTotal", real(0.3)}});
}

// --- The cases ---

struct RuleCase {
  MadeEvents fires;
  std::string says;  // in its title
  MadeEvents quiet;
};

inline std::map<std::string, RuleCase, std::less<>> cases_of_cpu() {
  return {
      {"hot-method",
       {with_samples(200, {"app.Hot.loop", "app.Main.run"}), "40 % of CPU in app.Hot.loop", spread_out()}},
      {"regex-compile",
       {with_samples(50, {"java.util.regex.Pattern.atom", "java.util.regex.Pattern.compile",
                          "java.lang.String.replaceAll", "app.Orders.parse"}),
        "14 % of CPU in regular expressions", with_samples(50, {"java.util.regex.Matcher.find", "app.Orders.parse"})}},
      {"format",
       {with_samples(50, {"java.util.Formatter.parse", "java.lang.String.format", "app.Report.line"}), "String.format",
        with_samples(50, {"app.Money.toString", "java.util.Formatter.format", "app.Report.line"})}},
      {"stack-traces",
       {with_samples(
            50, {"libjvm.so.JVM_FillInStackTrace::fill", "java.lang.Throwable.fillInStackTrace", "app.Orders.check"}),
        "stack traces of exceptions", with_samples(50, {"java.lang.Throwable.getMessage", "app.Orders.check"})}},
      {"logging",
       {with_samples(100,
                     {"java.io.FileOutputStream.write", "ch.qos.logback.core.FileAppender.append", "app.Orders.check"}),
        "in logging", with_samples(100, {"app.Order.toString", "org.slf4j.Logger.info", "app.Orders.check"})}},
      {"reflection",
       {with_samples(50, {"java.lang.Class.copyMethods", "java.lang.Class.getMethods", "app.Beans.read"}),
        "in reflection itself",
        with_samples(50, {"java.util.HashMap.get", "java.lang.reflect.Method.invoke", "app.Beans.read"})}},
      {"class-loading",
       {with_samples(100, {"java.util.zip.Inflater.inflate", "java.lang.ClassLoader.loadClass", "app.Main.run"}),
        "loading classes",
        with_samples(100, {"app.Plugin.<clinit>", "java.lang.ClassLoader.loadClass", "app.Main.run"})}},
      {"serialization",
       {with_samples(100, {"java.io.ObjectInputStream.readObject", "app.Cache.load"}), "Java serialization",
        with_samples(100, {"app.Order.readResolve", "java.io.ObjectInputStream.readObject", "app.Cache.load"})}},
      {"jit-cpu",
       {with_samples(300,
                     {"libjvm.so.PhaseIdealLoop::build_loop_tree", "libjvm.so.CompileBroker::compiler_thread_loop"}),
        "JIT compilers",
        with_samples(30,
                     {"libjvm.so.PhaseIdealLoop::build_loop_tree", "libjvm.so.CompileBroker::compiler_thread_loop"})}},
      {"allocation-site",
       {allocations("app.Node", 100'000'000), "app.Node in app.Orders.parse", allocations("app.Node", 1000)}},
      {"boxing",
       {allocations("java.lang.Integer", 100'000'000), "50 % of all allocation is boxed",
        allocations("app.Integer", 100'000'000)}},
      {"allocation-rate",
       {allocations("app.Node", 2'000'000'000), "are allocated each second", allocations("app.Node", 100'000'000)}},
  };
}

inline std::map<std::string, RuleCase, std::less<>> cases_of_collections() {
  const auto young = [](int count, int64_t ms) { return collections(count, "G1New", "G1 Evacuation Pause", ms); };
  return {
      {"gc-pauses", {young(50, 100), "8.3 % of the time is pauses", young(50, 10)}},
      {"gc-longest-pause", {young(1, 700), "stopped the program for 700 ms", young(100, 50)}},
      {"heap-rising",
       {heap_after("ParallelOld", 12, [](int i) { return 100'000'000 + i * 30'000'000; }), "perhaps a leak",
        heap_after("ParallelOld", 12, [](int i) { return 100'000'000 + i % 4 * 30'000'000; })}},
      {"system-gc", {collections(3, "G1Full", "System.gc()", 20), "called 3 times", young(3, 20)}},
      {"full-gc",
       {collections(2, "G1Full", "G1 Compaction Pause", 20), "full collection twice",
        collections(2, "G1Full", "System.gc()", 20)}},
      {"gc-no-room",
       {young(1, 20).add("jdk.EvacuationFailed", 10, {{"gcId", whole(1)}}), "no room to copy",
        young(1, 20).enabled("jdk.EvacuationFailed")}},
      {"allocation-stalls",
       {repeated("jdk.ZAllocationStall", 3, {{"duration", span_ms(40)}, {"eventThread", text("worker-1")}}),
        "ZGC to free memory, 3 times", MadeEvents().enabled("jdk.ZAllocationStall")}},
      {"humongous",
       {collections(4, "G1New", "G1 Humongous Allocation", 5), "half a region",
        collections(2, "G1New", "G1 Humongous Allocation", 5)}},
      {"metaspace",
       {collections(6, "G1New", "Metadata GC Threshold", 5), "Metaspace was full",
        collections(2, "G1New", "Metadata GC Threshold", 5)}},
      {"gc-cpu", {collector_cpu(30'000), "50 % of the JVM's CPU", collector_cpu(3'000)}},
  };
}

inline std::map<std::string, RuleCase, std::less<>> cases_of_waits() {
  const auto file = [](int64_t ms) {
    return MadeEvents().add(
        "jdk.FileRead", 5,
        {{"duration", span_ms(ms)}, {"path", text("/data/prices.bin")}, {"stackTrace", stack({"app.Prices.load"})}});
  };
  const auto socket = [](int64_t port) {
    return MadeEvents().add("jdk.SocketRead", 5,
                            {{"duration", span_ms(3100)},
                             {"host", text("db.acme.com")},
                             {"address", text("10.0.0.7")},
                             {"port", whole(port)},
                             {"stackTrace", stack({"app.Prices.ask"})}});
  };
  const auto pinned = [](int64_t ms) {
    return MadeEvents().add("jdk.VirtualThreadPinned", 5,
                            {{"duration", span_ms(ms)}, {"stackTrace", stack({"app.Orders.wait"})}});
  };
  const auto operation = [](const std::string& name, int64_t ms) {
    return MadeEvents().add("jdk.ExecuteVMOperation", 5,
                            {{"duration", span_ms(ms)},
                             {"operation", text(name)},
                             {"safepoint", whole(1)},
                             {"caller", text("Attach Listener")}});
  };
  return {
      {"locks", {monitors(100, 200), "20.0 s for locks of app.Cache", monitors(100, 20)}},
      {"park-locks",
       {parks(100, 200, "java.util.concurrent.locks.ReentrantLock$NonfairSync"),
        "20.0 s for a ReentrantLock in app.Cache.get",
        parks(100, 200, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject")}},
      {"pinned", {pinned(9000), "kept their carriers", pinned(30)}},
      {"slow-files", {file(1500), "/data/prices.bin took 1.50 s", file(20)}},
      {"slow-sockets", {socket(5432), "db.acme.com:5432 took 3.10 s", socket(40'001)}},
      {"late-safepoints", {late_safepoint(240), "by up to 240 ms, because of app.Loop.sum", late_safepoint(20)}},
      {"vm-operations",
       {operation("HeapDumper", 1500), "HeapDumper stopped the program", operation("G1CollectFull", 1500)}},
  };
}

inline std::map<std::string, RuleCase, std::less<>> cases_of_the_vm() {
  const std::string deadlock =
      "Full thread dump\n\nFound one Java-level deadlock:\n=============================\n\"left\":\n  waiting to lock "
      "monitor 0x1,\n"
      "  which is held by \"right\"\n\n\"right\":\n  waiting to lock monitor 0x2,\n  which is held by \"left\"\n"
      "\nFound 1 deadlock.\n\n";
  const auto deoptimized = [](int count) {
    return repeated("jdk.Deoptimization", count, {{"method", text("app.Main.run()")}, {"reason", text("class_check")}});
  };
  const auto failures = [](int count) {
    return repeated("jdk.CompilationFailure", count, {{"failureMessage", text("out of nodes")}});
  };
  const auto revoked = [](int64_t ms) {
    return repeated("jdk.BiasedLockRevocation", 100, {{"duration", span_ms(ms)}, {"lockClass", text("app.Cache")}});
  };
  return {
      {"deadlock", {dump(deadlock), "a deadlock", dump("Full thread dump\n\"main\" #1 prio=5\n")}},
      {"fatal-errors",
       {thrown("java.lang.OutOfMemoryError", 1), "java.lang.OutOfMemoryError was thrown",
        thrown("java.io.IOException", 1)}},
      {"exceptions",
       {thrown("java.io.IOException", 1000, 100), "1,667 exceptions a second", thrown("java.io.IOException", 1000)}},
      {"thread-churn", {threads_started(900), "15 threads are started", threads_started(100)}},
      {"thread-leak",
       {threads_alive([](int i) { return 30 + i * 5; }), "number of threads grew",
        threads_alive([](int i) { return i < 8 ? 30 * i : 250; })}},
      {"class-leak", {classes([](int i) { return 5000 + i * 200; }), "number of classes grew", classes([](int i) {
                        return i < 8 ? 1000 * i : 9000;
                      })}},
      {"code-cache",
       {MadeEvents().add("jdk.CodeCacheFull", 5, {{"codeBlobType", text("CodeHeap 'non-profiled nmethods'")}}),
        "code cache was full once", MadeEvents().enabled("jdk.CodeCacheFull")}},
      {"compile-failures", {failures(12), "12 compilations failed", failures(3)}},
      {"deoptimizations", {deoptimized(150), "app.Main.run() was deoptimized 150 times", deoptimized(20)}},
      {"biased-locks", {revoked(10), "were revoked 100 times", revoked(1)}},
  };
}

inline std::map<std::string, RuleCase, std::less<>> cases_of_the_process() {
  const auto memory = [](MadeEvents made, int64_t bytes) {
    return made.add("jdk.PhysicalMemory", 1, {{"totalSize", whole(bytes)}});
  };
  const auto lost = [](int64_t bytes) {
    return spread_out().add("jdk.DataLoss", 5, {{"amount", whole(bytes)}, {"total", whole(bytes)}});
  };
  return {
      {"throttling", {quota(400, 80), "in 20 % of the periods", quota(400, 2)}},
      {"other-processes", {loads(10, 0.2, 0.9), "used 70 % of the machine", loads(10, 0.8, 0.9)}},
      {"busy-machine", {loads(10, 0.9, 0.97), "97 % on average", loads(10, 0.3, 0.4)}},
      {"heap-over-memory",
       {memory(heap_limit(16 * kGiB, 1), 8 * kGiB), "200 % of the machine's memory",
        memory(heap_limit(2 * kGiB, 1), 8 * kGiB)}},
      {"wide-references",
       {heap_limit(36 * kGiB, 0), "References of 8 bytes in a heap of 36.0 GB", heap_limit(31 * kGiB, 1)}},
      {"collector", {collector_on("SerialOld", 8), "serial collector on 8", collector_on("G1Old", 8)}},
      {"slow-flags", {arguments("-Xmx1g -Xint"), "-Xint makes", arguments("-Xmx1g -XX:TieredStopAtLevel=4")}},
      {"debug-agent",
       {arguments("-agentlib:jdwp=transport=dt_socket,server=y"), "agent for debuggers", arguments("-agentlib:hprof")}},
      {"secrets",
       {arguments("-Ddb.password=hunter2"), "Secrets stand on the command line",
        arguments("-Ddb.password= -Dtokens.txt -Dapi.token=[redacted]")}},
      {"lost-samples", {counted(100), "25 % of the samples are missing", counted(0)}},
      {"lost-events", {lost(5'000'000), "4.8 MB of events were lost", lost(0)}},
      {"cut-stacks",
       {spread_out().truncated(100, {"app.Deep.down", "app.Deep.down"}), "25 % of the stacks", spread_out()}},
      {"few-samples", {spread_out(40), "Only 40 samples", spread_out()}},
  };
}

inline std::map<std::string, RuleCase, std::less<>> all_cases() {
  auto all = cases_of_cpu();
  for (auto more : {cases_of_collections(), cases_of_waits(), cases_of_the_vm(), cases_of_the_process()})
    all.merge(more);
  return all;
}

}  // namespace test::findings_rules
