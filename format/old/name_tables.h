// SPDX-License-Identifier: Apache-2.0
// The names of version 0.9 that have another since JDK 9. For modern_names.cpp only.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace jfr::old {

struct Name {
  std::string_view old_name, name;
  bool jrockit = false;  // JRockit's is the same
};

// Paths of types of events; the new name begins with "jdk.".
inline constexpr Name kEvents[] = {
    {"java/error_throw", "JavaErrorThrow"},
    {"java/exception_throw", "JavaExceptionThrow", true},
    {"java/file_read", "FileRead", true},
    {"java/file_write", "FileWrite", true},
    {"java/monitor_enter", "JavaMonitorEnter", true},
    {"java/monitor_wait", "JavaMonitorWait", true},
    {"java/object_alloc_in_new_TLAB", "ObjectAllocationInNewTLAB"},
    {"java/object_alloc_outside_TLAB", "ObjectAllocationOutsideTLAB"},
    {"java/old_object", "OldObjectSample"},
    {"java/socket_read", "SocketRead", true},
    {"java/socket_write", "SocketWrite", true},
    {"java/statistics/class_loading", "ClassLoadingStatistics"},
    {"java/statistics/thread_allocation", "ThreadAllocationStatistics"},
    {"java/statistics/threads", "JavaThreadStatistics", true},
    {"java/statistics/throwables", "ExceptionStatistics"},
    {"java/thread_end", "ThreadEnd", true},
    {"java/thread_park", "ThreadPark", true},
    {"java/thread_sleep", "ThreadSleep", true},
    {"java/thread_start", "ThreadStart", true},
    {"java/x509_certificate", "X509Certificate"},
    {"os/information", "OSInformation"},
    {"os/initial_environment_variable", "InitialEnvironmentVariable"},
    {"os/memory/physical_memory", "PhysicalMemory"},
    {"os/processor/context_switch_rate", "ThreadContextSwitchRate"},
    {"os/processor/cpu_information", "CPUInformation"},
    {"os/processor/cpu_load", "CPULoad"},
    {"os/processor/cpu_tsc", "CPUTimeStampCounter"},
    {"os/system_process", "SystemProcess"},
    {"recordings/recording", "ActiveRecording"},
    {"recordings/recording_setting", "ActiveSetting"},
    {"vm/class/load", "ClassLoad", true},
    {"vm/class/unload", "ClassUnload"},
    {"vm/code_cache/config", "CodeCacheConfiguration"},
    {"vm/code_cache/full", "CodeCacheFull"},
    {"vm/code_cache/stats", "CodeCacheStatistics"},
    {"vm/code_sweeper/config", "CodeSweeperConfiguration"},
    {"vm/code_sweeper/stats", "CodeSweeperStatistics"},
    {"vm/code_sweeper/sweep", "SweepCodeCache"},
    {"vm/compiler/compilation", "Compilation"},
    {"vm/compiler/config", "CompilerConfiguration"},
    {"vm/compiler/failure", "CompilationFailure"},
    {"vm/compiler/phase", "CompilerPhase"},
    {"vm/compiler/stats", "CompilerStatistics"},
    {"vm/cpu_info", "CPUInformation", true},
    {"vm/flag/boolean", "BooleanFlag"},
    {"vm/flag/boolean_changed", "BooleanFlagChanged"},
    {"vm/flag/double", "DoubleFlag"},
    {"vm/flag/double_changed", "DoubleFlagChanged"},
    {"vm/flag/int", "IntFlag"},
    {"vm/flag/int_changed", "IntFlagChanged"},
    {"vm/flag/long", "LongFlag"},
    {"vm/flag/long_changed", "LongFlagChanged"},
    {"vm/flag/string", "StringFlag"},
    {"vm/flag/string_changed", "StringFlagChanged"},
    {"vm/flag/uint", "UnsignedIntFlag"},
    {"vm/flag/uint_changed", "UnsignedIntFlagChanged"},
    {"vm/flag/ulong", "UnsignedLongFlag"},
    {"vm/flag/ulong_changed", "UnsignedLongFlagChanged"},
    {"vm/gc/collector/g1_garbage_collection", "G1GarbageCollection"},
    {"vm/gc/collector/garbage_collection", "GarbageCollection"},
    {"vm/gc/collector/old_garbage_collection", "OldGarbageCollection"},
    {"vm/gc/collector/parold_garbage_collection", "ParallelOldGarbageCollection"},
    {"vm/gc/collector/young_garbage_collection", "YoungGarbageCollection"},
    {"vm/gc/configuration/gc", "GCConfiguration"},
    {"vm/gc/configuration/heap", "GCHeapConfiguration"},
    {"vm/gc/configuration/survivor", "GCSurvivorConfiguration"},
    {"vm/gc/configuration/tlab", "GCTLABConfiguration"},
    {"vm/gc/configuration/young_generation", "YoungGenerationConfiguration"},
    {"vm/gc/detailed/allocation_requiring_gc", "AllocationRequiringGC"},
    {"vm/gc/detailed/concurrent_mode_failure", "ConcurrentModeFailure"},
    {"vm/gc/detailed/evacuation_failed", "EvacuationFailed"},
    {"vm/gc/detailed/evacuation_info", "EvacuationInformation"},
    {"vm/gc/detailed/object_count", "ObjectCount"},
    {"vm/gc/detailed/object_count_after_gc", "ObjectCountAfterGC"},
    {"vm/gc/detailed/promotion_failed", "PromotionFailed"},
    {"vm/gc/heap/metaspace_summary", "MetaspaceSummary"},
    {"vm/gc/heap/ps_summary", "PSHeapSummary"},
    {"vm/gc/heap/summary", "GCHeapSummary"},
    {"vm/gc/metaspace/allocation_failure", "MetaspaceAllocationFailure"},
    {"vm/gc/metaspace/chunk_free_list_summary", "MetaspaceChunkFreeListSummary"},
    {"vm/gc/metaspace/gc_threshold", "MetaspaceGCThreshold"},
    {"vm/gc/metaspace/out_of_memory", "MetaspaceOOM"},
    {"vm/gc/phases/pause", "GCPhasePause"},
    {"vm/gc/phases/pause_level_1", "GCPhasePauseLevel1"},
    {"vm/gc/phases/pause_level_2", "GCPhasePauseLevel2"},
    {"vm/gc/phases/pause_level_3", "GCPhasePauseLevel3"},
    {"vm/gc/reference/statistics", "GCReferenceStatistics"},
    {"vm/info", "JVMInformation", true},
    {"vm/initial_system_property", "InitialSystemProperty"},
    {"vm/prof/execution_sample", "ExecutionSample", true},
    {"vm/prof/execution_sampling_info", "ExecutionSampling"},
    {"vm/runtime/execute_vm_operation", "ExecuteVMOperation"},
    {"vm/runtime/shutdown", "Shutdown"},
    {"vm/runtime/thread_dump", "ThreadDump"},
};
static_assert(std::ranges::is_sorted(kEvents, {}, &Name::old_name));

struct FieldName {
  std::string_view type, old_name, name;
};

// Of types by their new names.
inline constexpr FieldName kFields[] = {
    {"java.lang.Class", "loaderClass", "classLoader"},
    {"jdk.ActiveRecording", "duration", "recordingDuration"},
    {"jdk.ActiveRecording", "startTime", "recordingStart"},
    {"jdk.BooleanFlagChanged", "new_value", "newValue"},
    {"jdk.BooleanFlagChanged", "old_value", "oldValue"},
    {"jdk.ClassLoad", "class", "loadedClass"},
    {"jdk.ClassLoad", "loader", "definingClassLoader"},
    {"jdk.Compilation", "compileID", "compileId"},
    {"jdk.CompilationFailure", "compileID", "compileId"},
    {"jdk.CompilationFailure", "failure", "failureMessage"},
    {"jdk.CompilerPhase", "compileID", "compileId"},
    {"jdk.DoubleFlagChanged", "new_value", "newValue"},
    {"jdk.DoubleFlagChanged", "old_value", "oldValue"},
    {"jdk.EvacuationFailed", "data", "evacuationFailed"},
    {"jdk.EvacuationInformation", "allocRegionsUsedAfter", "allocationRegionsUsedAfter"},
    {"jdk.EvacuationInformation", "allocRegionsUsedBefore", "allocationRegionsUsedBefore"},
    {"jdk.ExecutionSample", "stacktrace", "stackTrace"},
    {"jdk.ExecutionSample", "thread", "sampledThread"},
    {"jdk.FileRead", "bytes", "bytesRead"},
    {"jdk.FileWrite", "bytes", "bytesWritten"},
    {"jdk.IntFlagChanged", "new_value", "newValue"},
    {"jdk.IntFlagChanged", "old_value", "oldValue"},
    {"jdk.JavaExceptionThrow", "class", "thrownClass"},
    {"jdk.JavaMonitorEnter", "class", "monitorClass"},
    {"jdk.JavaMonitorEnter", "klass", "monitorClass"},
    {"jdk.JavaMonitorEnter", "owner", "previousOwner"},
    {"jdk.JavaMonitorWait", "class", "monitorClass"},
    {"jdk.JavaMonitorWait", "klass", "monitorClass"},
    {"jdk.LongFlagChanged", "new_value", "newValue"},
    {"jdk.LongFlagChanged", "old_value", "oldValue"},
    {"jdk.ObjectAllocationInNewTLAB", "class", "objectClass"},
    {"jdk.ObjectAllocationOutsideTLAB", "class", "objectClass"},
    {"jdk.ObjectCount", "class", "objectClass"},
    {"jdk.ObjectCountAfterGC", "class", "objectClass"},
    {"jdk.PromotionFailed", "data", "promotionFailed"},
    {"jdk.SocketRead", "bytes", "bytesRead"},
    {"jdk.SocketWrite", "bytes", "bytesWritten"},
    {"jdk.StringFlagChanged", "new_value", "newValue"},
    {"jdk.StringFlagChanged", "old_value", "oldValue"},
    {"jdk.SweepCodeCache", "sweepIndex", "sweepId"},
    {"jdk.ThreadEnd", "javaThread", "thread"},
    {"jdk.ThreadEnd", "javalangthread", "thread"},
    {"jdk.ThreadPark", "class", "parkedClass"},
    {"jdk.ThreadPark", "klass", "parkedClass"},
    {"jdk.ThreadStart", "javaThread", "thread"},
    {"jdk.ThreadStart", "javalangthread", "thread"},
    {"jdk.UnsignedIntFlagChanged", "new_value", "newValue"},
    {"jdk.UnsignedIntFlagChanged", "old_value", "oldValue"},
    {"jdk.UnsignedLongFlagChanged", "new_value", "newValue"},
    {"jdk.UnsignedLongFlagChanged", "old_value", "oldValue"},
    {"jdk.types.FrameType", "desc", "description"},
    {"jdk.types.Method", "class", "type"},
    {"jdk.types.Method", "signature", "descriptor"},
    {"jdk.types.StackFrame", "bci", "bytecodeIndex"},
    {"jdk.types.StackFrame", "line", "lineNumber"},
    {"jdk.types.Symbol", "utf8", "string"},
};

inline constexpr Name kPools[] = {
    {"Class", "java.lang.Class"},
    {"NARROW_OOP_MODE", "jdk.types.NarrowOopMode"},
    {"Thread", "java.lang.Thread"},
    {"UTFConstant", "jdk.types.Symbol"},
};

// Parts of a path, as a category says them.
inline constexpr Name kSegments[] = {
    {"gc", "GC"},
    {"java", "Java Application"},
    {"jdbc", "JDBC"},
    {"os", "Operating System"},
    {"prof", "Profiling"},
    {"recordings", "Flight Recorder"},
    {"vm", "Java Virtual Machine"},
    {"wls", "WebLogic Server"},
};

struct Shape {
  std::string_view name;
  std::array<std::string_view, 5> fields;
};

// Structures have no names, but fields.
inline constexpr Shape kShapes[] = {
    {"jdk.types.StackFrame", {"method", "line", "bci", "type"}},
    {"jdk.types.StackFrame", {"method", "line", "type"}},
    {"jdk.types.VirtualSpace", {"start", "committedEnd", "committedSize", "reservedEnd", "reservedSize"}},
    {"jdk.types.ObjectSpace", {"start", "end", "used", "size"}},
    {"jdk.types.MetaspaceSizes", {"committed", "used", "reserved"}},
    {"jdk.types.CopyFailed", {"objectCount", "firstSize", "smallestSize", "totalSize"}},
};

// Of Java: no part of a type's name may be one.
inline constexpr std::string_view kKeywords[] = {
    "abstract", "assert",    "boolean",   "break",  "byte",     "case",  "catch",      "char",         "class",
    "const",    "continue",  "default",   "do",     "double",   "else",  "enum",       "extends",      "false",
    "final",    "finally",   "float",     "for",    "goto",     "if",    "implements", "import",       "instanceof",
    "int",      "interface", "long",      "native", "new",      "null",  "package",    "private",      "protected",
    "public",   "return",    "short",     "static", "strictfp", "super", "switch",     "synchronized", "this",
    "throw",    "throws",    "transient", "true",   "try",      "void",  "volatile",   "while"};

}  // namespace jfr::old
