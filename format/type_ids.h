// SPDX-License-Identifier: Apache-2.0
// The type ids that our chunks use. Readers bind types by name (jfr-format: ids differ in every JVM), so the numbers
// are ours to choose; 0 and 1 are taken by the metadata and the checkpoint event. Events stay below 128, so that an
// event's type is one byte.
#pragma once

#include <cstdint>

#include "format/header_layout.h"

namespace jfr {

enum class TypeId : uint32_t {
  kMetadata = kMetadataType,
  kCheckpoint = kCheckpointType,
  // events
  kExecutionSample = 10,
  kCpuTimeSample,
  kCpuTimeSamplesLost,
  kThreadStart,
  kThreadEnd,
  kClassUnload,
  kGarbageCollection,
  kCpuLoad,
  kJvmInformation,
  kOsInformation,
  kCpuInformation,
  kInitialSystemProperty,
  kActiveRecording,
  kActiveSetting,
  kDataLoss,
  kShutdown,
  kRecCounters,   // rec.Counters: every sample that was not written, by cause
  kRecFiller,     // rec.Filler: the unused rest of an open chunk
  kRecClockJump,  // rec.ClockJump: the wall clock was set, or the machine slept
  kSafepointBegin,
  kSafepointStateSynchronization,
  kSafepointLatency,
  kRecTimeToSafepoint,  // rec.TimeToSafepoint: a safepoint, or a handshake, that was long in being reached
  kRecLateToSafepoint,  // rec.LateToSafepoint: a thread that it waited for
  kRecLateStack,        // rec.LateStack: where that thread was meanwhile
  kThreadDump,
  kRecChecksum,  // rec.Checksum: of a segment (format/segment_sum.h)
  kSafepointEnd,
  kExecuteVmOperation,
  kRecSafepointStop,  // rec.SafepointStop: all parts of a safepoint that was long
  kObjectAllocationSample,
  kWallClockSample,  // profiler.WallClockSample, as async-profiler has it
  kGcLocker,
  kRecGcLockerStall,   // rec.GcLockerStall: a collection that JNI critical sections held up
  kRecGcLockerThread,  // rec.GcLockerThread: a thread that was inside one, or waited
  kOldObjectSample,
  kJavaMonitorEnter,
  kJavaMonitorWait,
  kThreadPark,
  kThreadCpuLoad,  // from here on: statistics, at an interval
  kThreadAllocationStatistics,
  kJavaThreadStatistics,
  kClassLoadingStatistics,
  kGcHeapSummary,
  kPhysicalMemory,
  kSwapSpace,
  kResidentSetSize,
  kNativeLibrary,
  kThreadContextSwitchRate,
  kContainerConfiguration,
  kContainerCpuUsage,
  kContainerCpuThrottling,
  kContainerMemoryUsage,
  kRecMemoryUse,    // rec.MemoryUse: for a process that is killed for memory
  kRecMemoryKinds,  // rec.MemoryKinds: what its memory is made of
  kMalloc,          // profiler.Malloc and profiler.Free, as async-profiler has them
  kFree,
  kThreadSleep,
  kVirtualThreadPinned,
  kJavaExceptionThrow,
  kJavaErrorThrow,  // none is written: views of JFR ask for the type
  kExceptionStatistics,
  kRecMonitorOwner,    // rec.MonitorOwner: where it was
  kRecSampleContext,   // rec.SampleContext: the request that a sample was taken in
  kRecNativeModule,    // rec.NativeModule: a library that frames are of
  kRecNativeFunction,  // rec.NativeFunction: where in it a function is
  kRecSpan,            // rec.Span: what the application has told of itself
  // constants
  kThread = 130,
  kThreadGroup,
  kClass,
  kClassLoader,
  kMethod,
  kSymbol,
  kThreadState,
  kModule,
  kPackage,
  kStackTrace,
  kStackFrame,
  kFrameType,
  kGcName,
  kGcCause,
  kGcWhen,
  kOldObject,
  kOldObjectReference,
  kOldObjectArray,
  kOldObjectField,
  kOldObjectGcRoot,
  // primitives
  kBoolean = 160,
  kByte,
  kChar,
  kShort,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kString,
  // annotations and settings start here; the metadata table numbers them
  kFirstAnnotation = 180,
};

}  // namespace jfr
