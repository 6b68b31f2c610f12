// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/thread_group.h"

#include <algorithm>
#include <string_view>

namespace jrec {
namespace {

constexpr std::string_view kCompilers[] = {"C1 Comp", "C2 Comp", "JVMCI"};
// Of every collector, 17 to 28.
constexpr std::string_view kCollectors[] = {
    "GC Thread", "GC task",   "ParGC", "G1 ",   "Shenandoah", "ZWorker",   "XWorker",   "ZDriver",   "XDriver",
    "ZDirector", "XDirector", "ZStat", "XStat", "ZUnmapper",  "XUnmapper", "ZUncommit", "XUncommit", "RuntimeWorker"};

template <size_t kCount>
bool begins_as_one_of(std::string_view name, const std::string_view (&beginnings)[kCount]) {
  return std::ranges::any_of(beginnings, [&](std::string_view each) { return name.starts_with(each); });
}

}  // namespace

// The compilers' threads may have a Java id, too: HotSpot makes objects of Java for them.
ThreadGroup thread_group(const SampleThread& thread) {
  if (begins_as_one_of(thread.name, kCompilers)) return ThreadGroup::kCompiler;
  if (thread.java_id != 0) return thread.is_virtual ? ThreadGroup::kVirtual : ThreadGroup::kJava;
  return begins_as_one_of(thread.name, kCollectors) ? ThreadGroup::kCollector : ThreadGroup::kOther;
}

}  // namespace jrec
