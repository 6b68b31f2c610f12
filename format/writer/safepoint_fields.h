// SPDX-License-Identifier: Apache-2.0
// The fields of events about safepoints, late threads, and collections that JNI critical sections hold up: a part of the
// table in metadata_events.cpp, which alone includes this.
#pragma once

#include "format/writer/metadata_schema.h"

namespace jfr {

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
inline constexpr Field kSafepointBegin[] = {
    start_time(),
    duration(),
    event_thread(),
    safepoint_id(),
    value("totalThreadCount", TypeId::kInt, "Total Threads").about("Java threads that the recorder knew"),
    value("jniCriticalThreadCount", TypeId::kInt, "JNI Critical Threads").about("-1: not known"),
};
inline constexpr Field kSafepointStateSynchronization[] = {
    start_time(),
    duration(),
    event_thread(),
    safepoint_id(),
    value("initialThreadCount", TypeId::kInt, "Initial Threads").about("Still running when the recorder first looked"),
    value("runningThreadCount", TypeId::kInt, "Running Threads").about("Still running when it last looked"),
    value("iterations", TypeId::kInt, "Iterations").about("How often it looked"),
};
inline constexpr Field kSafepointLatency[] = {
    start_time(), duration(), event_thread(), stack_trace(), ref("threadState", TypeId::kThreadState, "Thread State"),
};
inline constexpr Field kRecTimeToSafepoint[] = {
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
    value("vmCpuTime", TypeId::kLong, "VM CPU Time")
        .timespan("NANOSECONDS")
        .about("Of the VM's own thread, while it was waited for, and up to 20 ms before; -1: not known"),
    value("vmRunDelay", TypeId::kLong, "VM Run Delay")
        .timespan("NANOSECONDS")
        .about("Likewise: it was ready to run, and without a CPU; -1: not known"),
    value("throttled", TypeId::kLong, "Throttled")
        .timespan("NANOSECONDS")
        .about("Likewise, of all its CPUs together: the process had used up its quota; -1: not known"),
    value("vmState", TypeId::kString, "VM State")
        .about("Of the VM's own thread in the system: R running or ready, S asleep"),
    value("source", TypeId::kString, "Source").about("How it was noticed: counters, or poll words"),
    value("remark", TypeId::kString, "Remark").about("What could not be known, and why"),
};
inline constexpr Field kSafepointEnd[] = {start_time(), duration(), event_thread(), safepoint_id()};
inline constexpr Field kExecuteVmOperation[] = {
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
inline constexpr Field kRecSafepointStop[] = {
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
inline constexpr Field kRecLateToSafepoint[] = {
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
    value("runDelay", TypeId::kLong, "Run Delay")
        .timespan("NANOSECONDS")
        .about("While it was watched: ready to run, and without a CPU; -1: not known"),
    value("majorFaults", TypeId::kInt, "Major Faults")
        .about("While it was watched: pages that it had to wait for; -1: not known"),
    value("faultedFile", TypeId::kString, "Faulted File")
        .about("A mapped file that it worked on when it waited for a page"),
    value("osState", TypeId::kString, "OS State").about("R running or ready, S asleep, D in the kernel"),
    value("wchan", TypeId::kString, "Wait Channel").about("Function of the kernel that it waits in; 0: none"),
    value("jvmState", TypeId::kString, "JVM State").about("When the recorder first looked"),
    value("signalsSent", TypeId::kInt, "Signals Sent"),
    value("signalsAnswered", TypeId::kInt, "Signals Answered"),
    value("stackRemark", TypeId::kString, "Stack Remark").about("Why there is no stack of where it gave way"),
};
inline constexpr Field kRecLateStack[] = {
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
inline constexpr Field kGcLocker[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    value("lockCount", TypeId::kInt, "Lock Count").no_sign().about("Java threads that were in a critical section"),
    value("stallCount", TypeId::kInt, "Stall Count").no_sign().about("Java threads that waited for them"),
};
constexpr Field locker_stall_id() {
  return value("stallId", TypeId::kLong, "Stall Identifier").about("The same in all events of one stall");
}
inline constexpr Field kRecGcLockerStall[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    locker_stall_id(),
    value("operation", TypeId::kString, "Operation").about("What was held up; nothing: not known"),
    value("collection", TypeId::kString, "Collection")
        .about("What ran when the last thread had left; nothing: not known"),
    value("cause", TypeId::kString, "Collection Cause"),
    value("uptime", TypeId::kLong, "Uptime")
        .timespan("NANOSECONDS")
        .about("Of the JVM then, as its log counts; -1: not known"),
    value("startError", TypeId::kLong, "Start Error").timespan("TICKS").about("The start may be off by so much"),
    part("held", "Held", "Until the last thread had left its section; -1: not known"),
    value("inside", TypeId::kInt, "Threads Inside").about("Threads in a critical section when the recorder looked"),
    value("waiting", TypeId::kInt, "Threads Waiting").about("Java threads that waited; -1: not known"),
    value("listed", TypeId::kInt, "Listed").about("Of all these, those that have events of their own"),
    value("longestWaiter", TypeId::kString, "Longest Waiter").about("The thread that waited for longest"),
    part("longestWait", "Longest Wait", "-1: not known"),
    safepoint_id(),
    value("over", TypeId::kBoolean, "Over").about("False: the recorder did not see the end"),
    value("remark", TypeId::kString, "Remark"),
};
inline constexpr Field kRecGcLockerThread[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    locker_stall_id(),
    value("role", TypeId::kString, "Role").about("inside: it was in a critical section; waiting: for those who were"),
    value("error", TypeId::kLong, "Error").timespan("TICKS").about("The duration may be off by so much"),
    value("javaThread", TypeId::kLong, "JavaThread")
        .with({AnnotationId::kMemoryAddress})
        .about("Its address in the JVM"),
    value("jvmState", TypeId::kString, "JVM State").about("When the recorder first looked"),
    value("stackRemark", TypeId::kString, "Stack Remark").about("Why there is no stack"),
};

}  // namespace jfr
