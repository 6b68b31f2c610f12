// SPDX-License-Identifier: Apache-2.0
// The events that we write. Those called jdk.* have JFR's name and fields, in JDK 25's layout, so that every tool knows
// them; what is ours alone is called rec.*, or stands behind JFR's own fields.
#include "format/writer/metadata_schema.h"

namespace jfr {
namespace {

constexpr Field kExecutionSample[] = {
    start_time(),
    ref("sampledThread", TypeId::kThread, "Thread"),
    stack_trace(),
    ref("state", TypeId::kThreadState, "Thread State"),
    value("weight", TypeId::kInt, "Weight").about("How many sampling intervals the sample stands for"),
};
constexpr Field kCpuTimeSample[] = {
    start_time(),
    stack_trace(),
    event_thread(),
    value("failed", TypeId::kBoolean, "Failed").about("The stack could not be walked"),
    value("samplingPeriod", TypeId::kLong, "CPU Time Sampling Period").no_sign().timespan("TICKS"),
    value("biased", TypeId::kBoolean, "Biased")
        .about("The stack was taken at a safepoint and not where the time was spent"),
};
constexpr Field kCpuTimeSamplesLost[] = {start_time(), value("lostSamples", TypeId::kInt, "Lost Samples"),
                                         event_thread()};
constexpr Field kThreadStart[] = {
    start_time(),
    event_thread(),
    stack_trace(),
    ref("thread", TypeId::kThread, "New Java Thread"),
    ref("parentThread", TypeId::kThread, "Parent Java Thread"),
};
constexpr Field kThreadEnd[] = {start_time(), event_thread(), ref("thread", TypeId::kThread, "Java Thread")};
constexpr Field kClassUnload[] = {
    start_time(),
    event_thread(),
    ref("unloadedClass", TypeId::kClass, "Unloaded Class"),
    ref("definingClassLoader", TypeId::kClassLoader, "Defining Class Loader"),
};
constexpr Field kGarbageCollection[] = {
    start_time(),
    duration(),
    event_thread(),
    value("gcId", TypeId::kInt, "GC Identifier").gc_id(),
    ref("name", TypeId::kGcName, "Name"),
    ref("cause", TypeId::kGcCause, "Cause"),
    value("sumOfPauses", TypeId::kLong, "Sum of Pauses").no_sign().timespan("TICKS"),
    value("longestPause", TypeId::kLong, "Longest Pause").no_sign().timespan("TICKS"),
};
constexpr Field kCpuLoad[] = {
    start_time(),
    value("jvmUser", TypeId::kFloat, "JVM User").percentage(),
    value("jvmSystem", TypeId::kFloat, "JVM System").percentage(),
    value("machineTotal", TypeId::kFloat, "Machine Total").percentage(),
};
constexpr Field kJvmInformation[] = {
    start_time(),
    value("jvmName", TypeId::kString, "JVM Name"),
    value("jvmVersion", TypeId::kString, "JVM Version"),
    value("jvmArguments", TypeId::kString, "JVM Command Line Arguments"),
    value("jvmFlags", TypeId::kString, "JVM Settings File Arguments"),
    value("javaArguments", TypeId::kString, "Java Application Arguments"),
    value("jvmStartTime", TypeId::kLong, "JVM Start Time").timestamp("MILLISECONDS_SINCE_EPOCH"),
    value("pid", TypeId::kLong, "Process Identifier"),
};
constexpr Field kOsInformation[] = {start_time(), value("osVersion", TypeId::kString, "OS Version")};
constexpr Field kCpuInformation[] = {
    start_time(),
    value("cpu", TypeId::kString, "Type"),
    value("description", TypeId::kString, "Description"),
    value("sockets", TypeId::kInt, "Sockets").no_sign(),
    value("cores", TypeId::kInt, "Cores").no_sign(),
    value("hwThreads", TypeId::kInt, "Hardware Threads").no_sign(),
};
constexpr Field kInitialSystemProperty[] = {
    start_time(),
    value("key", TypeId::kString, "Key"),
    value("value", TypeId::kString, "Value"),
};
constexpr Field kActiveRecording[] = {
    start_time(),
    value("id", TypeId::kLong, "Id"),
    value("name", TypeId::kString, "Name"),
    value("destination", TypeId::kString, "Destination"),
    value("disk", TypeId::kBoolean, "To Disk"),
    value("maxAge", TypeId::kLong, "Max Age").timespan("MILLISECONDS"),
    value("flushInterval", TypeId::kLong, "Flush Interval").timespan("MILLISECONDS"),
    value("maxSize", TypeId::kLong, "Max Size").bytes(),
    value("recordingStart", TypeId::kLong, "Recording Start").timestamp("MILLISECONDS_SINCE_EPOCH"),
    value("recordingDuration", TypeId::kLong, "Recording Duration").timespan("MILLISECONDS"),
};
constexpr Field kActiveSetting[] = {
    start_time(),
    value("id", TypeId::kLong, "Event Id").about("The metadata id of the event type that the setting belongs to"),
    value("name", TypeId::kString, "Setting Name"),
    value("value", TypeId::kString, "Setting Value"),
};
constexpr Field kDataLoss[] = {
    start_time(),
    value("amount", TypeId::kLong, "Amount").no_sign().bytes().about("Lost since the event before"),
    value("total", TypeId::kLong, "Total").no_sign().bytes().about("Lost since the recording began"),
};
constexpr Field kShutdown[] = {start_time(), event_thread(), stack_trace(), value("reason", TypeId::kString, "Reason")};
constexpr Field kRecCounters[] = {
    start_time(),
    value("cause", TypeId::kString, "Cause").about("What is counted: samples written, or why a sample was not"),
    value("count", TypeId::kLong, "Count").no_sign().about("In this chunk"),
    value("total", TypeId::kLong, "Total").no_sign().about("Since the recording began"),
};
constexpr Field kRecFiller[] = {start_time()};
constexpr Field kRecChecksum[] = {
    start_time(),
    value("crc", TypeId::kLong, "CRC-32C")
        .about("Of the bytes since the event before of this type, as they were written"),
};
constexpr Field kRecClockJump[] = {
    start_time(),
    value("offset", TypeId::kLong, "Offset").timespan("NANOSECONDS").about("By how much, forward if positive"),
};
constexpr Field safepoint_id() {
  return value("safepointId", TypeId::kLong, "Safepoint Identifier")
      .no_sign()
      .about("The same in all events of one safepoint: how many the JVM had asked for");
}
constexpr Field stop_id() {
  return value("safepointId", TypeId::kLong, "Safepoint Identifier")
      .about(
          "The same in all events of one safepoint: how many the JVM had asked for. Those of handshakes are negative");
}
constexpr Field kSafepointBegin[] = {
    start_time(),
    duration(),
    event_thread(),
    safepoint_id(),
    value("totalThreadCount", TypeId::kInt, "Total Threads").about("Java threads that the recorder knew"),
    value("jniCriticalThreadCount", TypeId::kInt, "JNI Critical Threads").about("-1: not known"),
};
constexpr Field kSafepointStateSynchronization[] = {
    start_time(),
    duration(),
    event_thread(),
    safepoint_id(),
    value("initialThreadCount", TypeId::kInt, "Initial Threads").about("Still running when the recorder first looked"),
    value("runningThreadCount", TypeId::kInt, "Running Threads").about("Still running when it last looked"),
    value("iterations", TypeId::kInt, "Iterations").about("How often it looked"),
};
constexpr Field kSafepointLatency[] = {
    start_time(), duration(), event_thread(), stack_trace(), ref("threadState", TypeId::kThreadState, "Thread State"),
};
constexpr Field kRecTimeToSafepoint[] = {
    start_time(),
    duration(),
    event_thread(),
    stop_id(),
    value("kind", TypeId::kString, "Kind")
        .about("safepoint, or handshake: one thread was waited for, and no other stopped"),
    value("operation", TypeId::kString, "Operation").about("What the JVM wanted to do; nothing: not known"),
    value("cause", TypeId::kString, "Collection Cause").about("If it was a garbage collection"),
    value("uptime", TypeId::kLong, "Uptime")
        .timespan("NANOSECONDS")
        .about("Of the JVM then, as its log counts; -1: not known"),
    value("startError", TypeId::kLong, "Start Error").timespan("TICKS").about("The start may be off by so much"),
    value("durationError", TypeId::kLong, "Duration Error")
        .timespan("TICKS")
        .about("0: the length is the JVM's own figure"),
    value("stopped", TypeId::kLong, "Stopped")
        .timespan("TICKS")
        .about("How long the threads stood still then; -1: not known"),
    value("threads", TypeId::kInt, "Threads").about("Java threads at that time"),
    value("lateThreads", TypeId::kInt, "Late Threads")
        .about("Still running when the recorder first looked; -1: it did not"),
    value("listed", TypeId::kInt, "Listed").about("Of these, those that have events of their own"),
    value("reached", TypeId::kBoolean, "Reached").about("False: the recorder did not see the end"),
    value("source", TypeId::kString, "Source").about("How it was noticed: counters, or poll words"),
    value("remark", TypeId::kString, "Remark").about("What could not be known, and why"),
};
constexpr Field kSafepointEnd[] = {start_time(), duration(), event_thread(), safepoint_id()};
constexpr Field kExecuteVmOperation[] = {
    start_time(),
    duration(),
    event_thread(),
    value("operation", TypeId::kString, "Operation"),
    value("safepoint", TypeId::kBoolean, "At Safepoint").about("If the threads stood still for it"),
    value("caller", TypeId::kString, "Caller").about("The thread that asked for it; nothing: not known"),
    safepoint_id(),
};
constexpr Field part(const char* name, const char* label, const char* about) {
  return value(name, TypeId::kLong, label).timespan("TICKS").about(about);
}
constexpr Field kRecSafepointStop[] = {
    start_time(),
    duration(),
    event_thread(),
    safepoint_id(),
    value("operation", TypeId::kString, "Operation").about("What the JVM wanted to do; nothing: not known"),
    value("cause", TypeId::kString, "Collection Cause").about("If it was a garbage collection"),
    value("caller", TypeId::kString, "Caller").about("The thread that asked for it; nothing: not known"),
    value("uptime", TypeId::kLong, "Uptime")
        .timespan("NANOSECONDS")
        .about("Of the JVM then, as its log counts; -1: not known"),
    part("reaching", "Reaching", "Until the last thread stood; -1: not known"),
    part("cleanup", "Cleanup", "Before the operation; -1: this JVM does not tell it apart"),
    part("atSafepoint", "At Safepoint", "The operation itself; -1: not known"),
    part("leaving", "Leaving", "Until the threads were let go; -1: this JVM does not tell it apart"),
    value("threads", TypeId::kInt, "Threads").about("Java threads at that time; -1: not known"),
    value("running", TypeId::kInt, "Running").about("Of these, those that had to be waited for; -1: not known"),
};
constexpr Field kRecLateToSafepoint[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    stop_id(),
    value("error", TypeId::kLong, "Error").timespan("TICKS").about("The duration may be off by so much"),
    value("gaveWay", TypeId::kBoolean, "Gave Way").about("False: it was still running when the recorder last looked"),
    value("javaThread", TypeId::kLong, "JavaThread")
        .with({AnnotationId::kMemoryAddress})
        .about("Its address in the JVM"),
    value("javaPriority", TypeId::kInt, "Java Priority").about("When the thread became known; 0: not known"),
    value("osPriority", TypeId::kInt, "OS Priority").about("Its nice value"),
    value("policy", TypeId::kString, "Scheduling Policy"),
    value("allowedCpus", TypeId::kString, "Allowed CPUs").about("Mask, as the kernel writes it"),
    value("lastCpu", TypeId::kInt, "Last CPU").about("-1: not known"),
    value("cpuTime", TypeId::kLong, "CPU Time").timespan("NANOSECONDS").about("Of the thread's life; -1: not known"),
    value("cpuTimeUsed", TypeId::kLong, "CPU Time Used")
        .timespan("NANOSECONDS")
        .about("While it was watched; -1: not known"),
    value("osState", TypeId::kString, "OS State").about("R running or ready, S asleep, D in the kernel"),
    value("wchan", TypeId::kString, "Wait Channel").about("Function of the kernel that it waits in; 0: none"),
    value("jvmState", TypeId::kString, "JVM State").about("When the recorder first looked"),
    value("signalsSent", TypeId::kInt, "Signals Sent"),
    value("signalsAnswered", TypeId::kInt, "Signals Answered"),
    value("stackRemark", TypeId::kString, "Stack Remark").about("Why there is no stack of where it gave way"),
};
constexpr Field kRecLateStack[] = {
    start_time(),
    event_thread(),
    stack_trace(),
    stop_id(),
    value("osThreadId", TypeId::kLong, "OS Thread Id")
        .about("Of the thread that was late; a virtual thread may run on it"),
    value("number", TypeId::kInt, "Number").about("First, second, ... of this thread and safepoint"),
    value("answered", TypeId::kBoolean, "Answered")
        .about("False: not yet when the safepoint was over. The answer may follow"),
    value("signalSent", TypeId::kLong, "Signal Sent").timestamp("TICKS"),
    value("waited", TypeId::kLong, "Waited").timespan("TICKS").about("From the request to the signal"),
    value("osState", TypeId::kString, "OS State").about("When the signal was sent"),
    value("wchan", TypeId::kString, "Wait Channel").about("Likewise"),
    value("lastCpu", TypeId::kInt, "Last CPU").about("Likewise; -1: not known"),
    value("cpuTime", TypeId::kLong, "CPU Time")
        .timespan("NANOSECONDS")
        .about("Likewise, of the thread's life; -1: not known"),
    value("jvmState", TypeId::kString, "JVM State").about("Likewise"),
};
constexpr Field kThreadDump[] = {start_time(), value("result", TypeId::kString, "Thread Dump")};

using Category = std::array<std::string_view, 3>;
constexpr Category kJvm = {"Java Virtual Machine"};
constexpr Category kProfiling = {"Java Virtual Machine", "Profiling"};
constexpr Category kClassLoading = {"Java Virtual Machine", "Class Loading"};
constexpr Category kCollector = {"Java Virtual Machine", "GC", "Collector"};
constexpr Category kRuntime = {"Java Virtual Machine", "Runtime"};
constexpr Category kSafepoint = {"Java Virtual Machine", "Runtime", "Safepoint"};
constexpr Category kApplication = {"Java Application"};
constexpr Category kOs = {"Operating System"};
constexpr Category kProcessor = {"Operating System", "Processor"};
constexpr Category kFlightRecorder = {"Flight Recorder"};

constexpr Type event(TypeId id, std::string_view name, std::span<const Field> fields, const Category& category,
                     std::string_view label, std::string_view description = {},
                     AnnotationId mark = AnnotationId::kNone) {
  return {name, static_cast<uint32_t>(id), Kind::kEvent, fields, label, description, category, mark};
}

constexpr Type kEvents[] = {
    event(TypeId::kExecutionSample, "jdk.ExecutionSample", kExecutionSample, kProfiling, "Java Execution Sample",
          "What a thread was doing when its sampling interval ended"),
    event(TypeId::kCpuTimeSample, "jdk.CPUTimeSample", kCpuTimeSample, kProfiling, "CPU Time Sample",
          "What a thread was doing when it had used another period of CPU time"),
    event(TypeId::kCpuTimeSamplesLost, "jdk.CPUTimeSamplesLost", kCpuTimeSamplesLost, kProfiling,
          "CPU Time Samples Lost"),
    event(TypeId::kThreadStart, "jdk.ThreadStart", kThreadStart, kApplication, "Java Thread Start"),
    event(TypeId::kThreadEnd, "jdk.ThreadEnd", kThreadEnd, kApplication, "Java Thread End"),
    event(TypeId::kClassUnload, "jdk.ClassUnload", kClassUnload, kClassLoading, "Class Unload"),
    event(TypeId::kGarbageCollection, "jdk.GarbageCollection", kGarbageCollection, kCollector, "Garbage Collection"),
    event(TypeId::kCpuLoad, "jdk.CPULoad", kCpuLoad, kProcessor, "CPU Load"),
    event(TypeId::kJvmInformation, "jdk.JVMInformation", kJvmInformation, kJvm, "JVM Information"),
    event(TypeId::kOsInformation, "jdk.OSInformation", kOsInformation, kOs, "OS Information"),
    event(TypeId::kCpuInformation, "jdk.CPUInformation", kCpuInformation, kProcessor, "CPU Information"),
    event(TypeId::kInitialSystemProperty, "jdk.InitialSystemProperty", kInitialSystemProperty, kJvm,
          "Initial System Property"),
    event(TypeId::kActiveRecording, "jdk.ActiveRecording", kActiveRecording, kFlightRecorder, "Flight Recording"),
    event(TypeId::kActiveSetting, "jdk.ActiveSetting", kActiveSetting, kFlightRecorder, "Recording Setting"),
    event(TypeId::kDataLoss, "jdk.DataLoss", kDataLoss, kFlightRecorder, "Data Loss"),
    event(TypeId::kShutdown, "jdk.Shutdown", kShutdown, kRuntime, "JVM Shutdown"),
    event(TypeId::kRecCounters, "rec.Counters", kRecCounters, kFlightRecorder, "Sample Counters",
          "Signals handled are samples written plus the sum of all causes; one event a cause and chunk"),
    event(TypeId::kRecFiller, "rec.Filler", kRecFiller, kFlightRecorder, "Filler",
          "Space in the chunk that was not used yet", AnnotationId::kExperimental),
    event(TypeId::kRecChecksum, "rec.Checksum", kRecChecksum, kFlightRecorder, "Checksum",
          "By which recovery knows what is as it was written; other tools may ignore it", AnnotationId::kExperimental),
    event(TypeId::kRecClockJump, "rec.ClockJump", kRecClockJump, kFlightRecorder, "Clock Jump",
          "The wall clock has moved against the monotonic one since the chunk began"),
    event(TypeId::kSafepointBegin, "jdk.SafepointBegin", kSafepointBegin, kSafepoint, "Safepoint Begin",
          "A safepoint was asked for and, at the end, reached; those over the threshold"),
    event(TypeId::kSafepointStateSynchronization, "jdk.SafepointStateSynchronization", kSafepointStateSynchronization,
          kSafepoint, "Safepoint State Synchronization", "Waiting for the last thread; of those over the threshold"),
    event(TypeId::kSafepointLatency, "jdk.SafepointLatency", kSafepointLatency, kSafepoint, "Safepoint Latency",
          "How long a thread took to reach its next safepoint poll, and where that was"),
    event(TypeId::kRecTimeToSafepoint, "rec.TimeToSafepoint", kRecTimeToSafepoint, kSafepoint, "Time to Safepoint",
          "A safepoint or handshake that was reached later than the threshold"),
    event(TypeId::kSafepointEnd, "jdk.SafepointEnd", kSafepointEnd, kSafepoint, "Safepoint End",
          "Threads are let go; of safepoints over the threshold"),
    event(TypeId::kExecuteVmOperation, "jdk.ExecuteVMOperation", kExecuteVmOperation, kSafepoint, "VM Operation",
          "What the JVM did while the threads stood; of safepoints over the threshold"),
    event(TypeId::kRecSafepointStop, "rec.SafepointStop", kRecSafepointStop, kSafepoint, "Safepoint Stop",
          "A safepoint that kept the threads longer than the threshold, from the request to the end"),
    event(TypeId::kRecLateToSafepoint, "rec.LateToSafepoint", kRecLateToSafepoint, kSafepoint, "Late to Safepoint",
          "A thread that a safepoint waited for: how long, and where it gave way"),
    event(TypeId::kRecLateStack, "rec.LateStack", kRecLateStack, kSafepoint, "Late Stack",
          "Where a thread was while a safepoint waited for it, by a signal"),
    event(TypeId::kThreadDump, "jdk.ThreadDump", kThreadDump, kRuntime, "Thread Dump",
          "Taken without a safepoint. A long one is several events with one start time"),
};

}  // namespace

std::span<const Type> event_types() { return kEvents; }

}  // namespace jfr
