// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/event_names.h"

#include <fmt/core.h>

#include <string>

namespace jrec {
namespace {

std::string list_of_names(bool with_stacks_only) {
  std::string list;
  for (const EventName& known : event_names())
    if (known.has_stacks || !with_stacks_only) list += fmt::format("{}{}", list.empty() ? "" : ", ", known.name);
  return list;
}

}  // namespace

std::span<const EventName> event_names() {
  static const std::vector<EventName> kNames = {
      {"cpu", {"jdk.ExecutionSample", "jdk.CPUTimeSample"}},
      {"execution", {"jdk.ExecutionSample"}},
      {"cputime", {"jdk.CPUTimeSample"}},
      {"native", {"jdk.NativeMethodSample"}},
      {"wall", {"profiler.WallClockSample"}},
      {"alloc", {"jdk.ObjectAllocationSample", "jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB"}},
      {"live", {"profiler.LiveObject", "jdk.OldObjectSample"}},
      {"nativemem", {"profiler.Malloc"}},
      {"malloc", {"profiler.Malloc"}},
      {"lock", {"jdk.JavaMonitorEnter", "jdk.ThreadPark"}},
      {"park", {"jdk.ThreadPark"}},
      {"wait", {"jdk.JavaMonitorWait"}},
      {"sleep", {"jdk.ThreadSleep"}},
      {"pinned", {"jdk.VirtualThreadPinned"}},
      {"io", {"jdk.SocketRead", "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite", "jdk.FileForce"}},
      {"file", {"jdk.FileRead", "jdk.FileWrite", "jdk.FileForce"}},
      {"socket", {"jdk.SocketRead", "jdk.SocketWrite"}},
      {"exceptions", {"jdk.JavaExceptionThrow", "jdk.JavaErrorThrow"}},
      {"gc", {"jdk.GarbageCollection"}, false},
      {"safepoint", {"jdk.SafepointBegin", "jdk.ExecuteVMOperation"}, false},
      {"compile", {"jdk.Compilation"}, false},
      {"classload", {"jdk.ClassLoad", "jdk.ClassDefine"}},
  };
  return kNames;
}

std::vector<std::string_view> event_types_for(std::string_view name) {
  for (const EventName& known : event_names())
    if (known.name == name) return known.types;
  return {name};
}

const std::string& event_name_list() {
  static const std::string kList = list_of_names(false);
  return kList;
}

const std::string& sample_name_list() {
  static const std::string kList = list_of_names(true);
  return kList;
}

}  // namespace jrec
