// SPDX-License-Identifier: Apache-2.0
// Fields of the events of live objects and of waits for locks. For metadata_events.cpp alone.
#pragma once

#include "format/writer/metadata_schema.h"

namespace jfr {

inline constexpr Field kOldObjectSample[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    value("allocationTime", TypeId::kLong, "Allocation Time").no_sign().timestamp("TICKS"),
    value("objectSize", TypeId::kLong, "Object Size").no_sign().bytes(),
    value("objectAge", TypeId::kLong, "Object Age").no_sign().timespan("TICKS"),
    value("lastKnownHeapUsage", TypeId::kLong, "Last Known Heap Usage").no_sign().bytes(),
    ref("object", TypeId::kOldObject, "Object"),
    value("arrayElements", TypeId::kInt, "Array Elements").about("Of an array; else the least value of an int"),
    ref("root", TypeId::kOldObjectGcRoot, "GC Root"),
    value("survivedCollections", TypeId::kInt, "Survived Collections").about("Collections that have passed over it"),
    value("weight", TypeId::kLong, "Weight").bytes().about("Bytes of live objects that it stands for"),
};
constexpr Field lock_address(const char* label) {
  return value("address", TypeId::kLong, label).no_sign().with({AnnotationId::kMemoryAddress});
}
inline constexpr Field kJavaMonitorEnter[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    ref("monitorClass", TypeId::kClass, "Monitor Class"),
    ref("previousOwner", TypeId::kThread, "Previous Monitor Owner"),
    lock_address("Monitor Address"),
};
inline constexpr Field kMonitorOwner[] = {
    start_time(),
    duration(),
    event_thread().about("Who held the monitor"),
    stack_trace(),
    ref("monitorClass", TypeId::kClass, "Monitor Class"),
    ref("waiter", TypeId::kThread, "Waiting Thread"),
    lock_address("Monitor Address"),
};
inline constexpr Field kJavaMonitorWait[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    ref("monitorClass", TypeId::kClass, "Monitor Class"),
    ref("notifier", TypeId::kThread, "Notifier Thread"),
    value("timeout", TypeId::kLong, "Timeout").timespan("MILLISECONDS").about("Maximum wait time"),
    value("timedOut", TypeId::kBoolean, "Timed Out"),
    lock_address("Monitor Address"),
};
inline constexpr Field kThreadSleep[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    value("time", TypeId::kLong, "Sleep Time").timespan("NANOSECONDS"),
};
inline constexpr Field kVirtualThreadPinned[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    value("blockingOperation", TypeId::kString, "Blocking Operation"),
    value("pinnedReason", TypeId::kString, "Pinned Reason").about("Not known"),
    ref("carrierThread", TypeId::kThread, "Carrier Thread"),
};
inline constexpr Field kThreadPark[] = {
    start_time(),
    duration(),
    event_thread(),
    stack_trace(),
    ref("parkedClass", TypeId::kClass, "Class Parked On"),
    value("timeout", TypeId::kLong, "Park Timeout").timespan("NANOSECONDS"),
    value("until", TypeId::kLong, "Park Until").timestamp("MILLISECONDS_SINCE_EPOCH"),
    lock_address("Address of Object Parked"),
};

}  // namespace jfr
