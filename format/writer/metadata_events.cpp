// SPDX-License-Identifier: Apache-2.0
// The events that we write. Those called jdk.* have JFR's name and fields, in JDK 25's layout, so that every tool knows
// them; what is ours alone is called rec.*. Behind JFR's own fields nothing of ours stands in a type that async-profiler's
// reader knows: it takes what it does not expect there for the next event.
#include "format/writer/metadata_lock_fields.h"
#include "format/writer/metadata_schema.h"
#include "format/writer/safepoint_fields.h"
#include "format/writer/statistics_fields.h"

namespace jfr {
namespace {

constexpr Field kExecutionSample[] = {
    start_time(),
    ref("sampledThread", TypeId::kThread, "Thread"),
    stack_trace(),
    ref("state", TypeId::kThreadState, "Thread State"),
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
constexpr Field kObjectAllocationSample[] = {
    start_time(),
    event_thread(),
    stack_trace(),
    ref("objectClass", TypeId::kClass, "Object Class"),
    value("weight", TypeId::kLong, "Sample Weight")
        .bytes()
        .about("Bytes of allocations that the sample stands for: size / (1 - exp(-size / interval))"),
};
constexpr Field kJavaExceptionThrow[] = {
    start_time(),
    event_thread(),
    stack_trace(),
    value("message", TypeId::kString, "Message").about("Not known"),
    ref("thrownClass", TypeId::kClass, "Class"),
    value("weight", TypeId::kLong, "Weight").about("Exceptions that it stands for; the sum is right"),
};
constexpr Field kJavaErrorThrow[] = {
    start_time(),
    event_thread(),
    stack_trace(),
    value("message", TypeId::kString, "Message"),
    ref("thrownClass", TypeId::kClass, "Class"),
};
constexpr Field kWallClockSample[] = {
    start_time(),
    ref("sampledThread", TypeId::kThread, "Thread"),
    stack_trace(),
    ref("state", TypeId::kThreadState, "Thread State"),
    value("samples", TypeId::kInt, "Samples").about("Intervals that it stands for; the sum is right"),
    value("timeSpan", TypeId::kLong, "Time Span").timespan("TICKS").about("For so long, as it was measured"),
};
// As async-profiler has them, and nothing behind: its reader takes that for the next event.
constexpr Field kMalloc[] = {
    start_time(),
    event_thread(),
    stack_trace(),
    value("address", TypeId::kLong, "Address").no_sign().with({AnnotationId::kMemoryAddress}),
    value("size", TypeId::kLong, "Size").no_sign().bytes(),
};
constexpr Field kFree[] = {
    start_time(),
    event_thread(),
    stack_trace(),
    value("address", TypeId::kLong, "Address").no_sign().with({AnnotationId::kMemoryAddress}),
};
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
constexpr Field kRecSampleContext[] = {
    start_time(),
    event_thread(),
    value("traceId", TypeId::kString, "Trace Id").about("Of the request, as W3C Trace Context writes it"),
    value("spanId", TypeId::kString, "Span Id"),
    value("spanName", TypeId::kString, "Span Name").about("As the application has named it"),
    value("attributes", TypeId::kString, "Attributes")
        .about("As the tracer tells them: key=value, separated by commas"),
};
constexpr Field kRecSpan[] = {
    start_time(),
    duration(),
    event_thread(),
    value("name", TypeId::kString, "Name"),
    value("traceId", TypeId::kString, "Trace Id").about("Of the request, as W3C Trace Context writes it"),
    value("spanId", TypeId::kString, "Span Id"),
    value("labels", TypeId::kString, "Labels").about("key=value, separated by commas"),
};
constexpr Field kRecNativeModule[] = {
    start_time(),
    ref("library", TypeId::kClass, "Library").about("The class of its frames"),
    value("path", TypeId::kString, "Path"),
    value("buildId", TypeId::kString, "Build Id").about("In hexadecimal; empty: the file has none"),
    address("baseAddress", "Base Address"),
    address("topAddress", "Top Address"),
    address("fileOffset", "File Offset").about("Where in the file the base is"),
    address("loadBias", "Load Bias").about("An address in memory less this is the file's own, as nm has it"),
};
constexpr Field kRecNativeFunction[] = {
    start_time(),
    ref("function", TypeId::kMethod, "Function"),
    address("address", "Address").about("In the file of its library, as nm has it"),
};
constexpr Field kThreadDump[] = {start_time(), value("result", TypeId::kString, "Thread Dump")};

using Category = std::array<std::string_view, 3>;
constexpr Category kJvm = {"Java Virtual Machine"};
constexpr Category kProfiling = {"Java Virtual Machine", "Profiling"};
constexpr Category kClassLoading = {"Java Virtual Machine", "Class Loading"};
constexpr Category kCollector = {"Java Virtual Machine", "GC", "Collector"};
constexpr Category kCollectorDetails = {"Java Virtual Machine", "GC", "Detailed"};
constexpr Category kRuntime = {"Java Virtual Machine", "Runtime"};
constexpr Category kSafepoint = {"Java Virtual Machine", "Runtime", "Safepoint"};
constexpr Category kApplication = {"Java Application"};
constexpr Category kOs = {"Operating System"};
constexpr Category kProcessor = {"Operating System", "Processor"};
constexpr Category kOsMemory = {"Operating System", "Memory"};
constexpr Category kJvmMemory = {"Java Virtual Machine", "Memory"};
constexpr Category kHeap = {"Java Virtual Machine", "GC", "Heap"};
constexpr Category kStatistics = {"Java Application", "Statistics"};
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
    event(TypeId::kObjectAllocationSample, "jdk.ObjectAllocationSample", kObjectAllocationSample, kApplication,
          "Object Allocation Sample", "An object that was allocated where another interval of bytes ended"),
    event(TypeId::kWallClockSample, "profiler.WallClockSample", kWallClockSample, kProfiling, "Wall Clock Sample",
          "What a thread did with its time, also when it slept, waited or was blocked"),
    event(TypeId::kRecSampleContext, "rec.SampleContext", kRecSampleContext, kProfiling, "Sample Context",
          "The request that a thread worked for when the event of that thread with that start time was taken"),
    event(TypeId::kRecNativeModule, "rec.NativeModule", kRecNativeModule, kProfiling, "Native Module",
          "A library that frames of this chunk are of: which build, and where it was loaded"),
    event(TypeId::kRecNativeFunction, "rec.NativeFunction", kRecNativeFunction, kProfiling, "Native Function",
          "Where in its library a function is that frames of this chunk name"),
    event(TypeId::kRecSpan, "rec.Span", kRecSpan, kApplication, "Span",
          "Work that the application has begun and ended by name (rec_context.h, rec.Span)"),
    event(TypeId::kMalloc, "profiler.Malloc", kMalloc, kJvmMemory, "Native Memory Allocation",
          "A call of malloc or the like where another interval of bytes ended"),
    event(TypeId::kFree, "profiler.Free", kFree, kJvmMemory, "Native Memory Release",
          "What was sampled when it was allocated is free"),
    event(TypeId::kOldObjectSample, "jdk.OldObjectSample", kOldObjectSample, kProfiling, "Old Object Sample",
          "An object that was sampled when it was allocated and is alive"),
    event(TypeId::kJavaMonitorEnter, "jdk.JavaMonitorEnter", kJavaMonitorEnter, kApplication, "Java Monitor Blocked"),
    event(TypeId::kRecMonitorOwner, "rec.MonitorOwner", kMonitorOwner, kApplication, "Java Monitor Owner",
          "Where the owner of a monitor was while another thread waited for it, as it was asked last"),
    event(TypeId::kJavaMonitorWait, "jdk.JavaMonitorWait", kJavaMonitorWait, kApplication, "Java Monitor Wait",
          "Waiting on a Java monitor"),
    event(TypeId::kThreadPark, "jdk.ThreadPark", kThreadPark, kApplication, "Java Thread Park"),
    event(TypeId::kThreadSleep, "jdk.ThreadSleep", kThreadSleep, kApplication, "Java Thread Sleep"),
    event(TypeId::kVirtualThreadPinned, "jdk.VirtualThreadPinned", kVirtualThreadPinned, kApplication,
          "Virtual Thread Pinned", "A virtual thread that parked and kept its carrier"),
    event(TypeId::kJavaExceptionThrow, "jdk.JavaExceptionThrow", kJavaExceptionThrow, kApplication, "Java Exception",
          "An exception or error that was created"),
    event(TypeId::kJavaErrorThrow, "jdk.JavaErrorThrow", kJavaErrorThrow, kApplication, "Java Error",
          "None is written: errors are among the exceptions, which JFR has them in, too"),
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
    event(TypeId::kGcLocker, "jdk.GCLocker", kGcLocker, kCollectorDetails, "GC Locker",
          "A collection that JNI critical sections held up, until it was over; those over the threshold"),
    event(TypeId::kRecGcLockerStall, "rec.GcLockerStall", kRecGcLockerStall, kCollectorDetails, "GC Locker Stall",
          "A collection that JNI critical sections held up for longer than the threshold"),
    event(TypeId::kRecGcLockerThread, "rec.GcLockerThread", kRecGcLockerThread, kCollectorDetails, "GC Locker Thread",
          "A thread that was inside a JNI critical section then, or waited for those inside"),
    event(TypeId::kThreadDump, "jdk.ThreadDump", kThreadDump, kRuntime, "Thread Dump",
          "Taken without a safepoint. A long one is several events with one start time"),
    event(TypeId::kThreadCpuLoad, "jdk.ThreadCPULoad", kThreadCpuLoad, kProcessor, "Thread CPU Load",
          "Of all processors, since the look before; threads that have not run have none"),
    event(TypeId::kThreadAllocationStatistics, "jdk.ThreadAllocationStatistics", kThreadAllocationStatistics,
          kStatistics, "Thread Allocation Statistics"),
    event(TypeId::kJavaThreadStatistics, "jdk.JavaThreadStatistics", kJavaThreadStatistics, kStatistics,
          "Java Thread Statistics"),
    event(TypeId::kClassLoadingStatistics, "jdk.ClassLoadingStatistics", kClassLoadingStatistics, kStatistics,
          "Class Loading Statistics"),
    event(TypeId::kExceptionStatistics, "jdk.ExceptionStatistics", kExceptionStatistics, kStatistics,
          "Exception Statistics", "Exceptions and errors that have been created"),
    event(TypeId::kGcHeapSummary, "jdk.GCHeapSummary", kGcHeapSummary, kHeap, "Heap Summary"),
    event(TypeId::kPhysicalMemory, "jdk.PhysicalMemory", kPhysicalMemory, kOsMemory, "Physical Memory",
          "OS Physical Memory"),
    event(TypeId::kSwapSpace, "jdk.SwapSpace", kSwapSpace, kOsMemory, "Swap Space", "OS Swap Space"),
    event(TypeId::kResidentSetSize, "jdk.ResidentSetSize", kResidentSetSize, kJvmMemory, "Resident Set Size",
          "Resident set size of the process"),
    event(TypeId::kNativeLibrary, "jdk.NativeLibrary", kNativeLibrary, kRuntime, "Native Library",
          "A dynamic library that the process has loaded"),
    event(TypeId::kThreadContextSwitchRate, "jdk.ThreadContextSwitchRate", kThreadContextSwitchRate, kProcessor,
          "Thread Context Switch Rate", "Of the whole machine"),
    event(TypeId::kContainerConfiguration, "jdk.ContainerConfiguration", kContainerConfiguration, kOs,
          "Container Configuration", "Limits of the control group; -1: there is none, or it is not known"),
    event(TypeId::kContainerCpuUsage, "jdk.ContainerCPUUsage", kContainerCpuUsage, kProcessor, "CPU Usage",
          "Container CPU usage related information"),
    event(TypeId::kContainerCpuThrottling, "jdk.ContainerCPUThrottling", kContainerCpuThrottling, kProcessor,
          "CPU Throttling", "Container CPU throttling related information"),
    event(TypeId::kContainerMemoryUsage, "jdk.ContainerMemoryUsage", kContainerMemoryUsage, kOsMemory,
          "Container Memory Usage", "Container memory usage related information"),
    event(TypeId::kRecMemoryUse, "rec.MemoryUse", kRecMemoryUse, kJvmMemory, "Memory Use",
          "Of the process and its control group, in case that it is killed for memory; -1: not known"),
    event(TypeId::kRecMemoryKinds, "rec.MemoryKinds", kRecMemoryKinds, kJvmMemory, "Memory by Kind",
          "What the resident memory of the process is made of"),
};

}  // namespace

std::span<const Type> event_types() { return kEvents; }

}  // namespace jfr
