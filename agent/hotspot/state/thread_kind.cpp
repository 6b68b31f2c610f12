// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/thread_kind.h"

#include <string_view>

namespace rec::agent {
namespace {

struct Beginning {
  std::string_view text;
  ThreadKind kind;
};

// The first that fits. All of 17 to 28, with each collector.
constexpr Beginning kBeginnings[] = {
    {"C1 ", ThreadKind::kC1},
    {"C2 ", ThreadKind::kC2},
    {"JVMCI", ThreadKind::kJvmci},
    {"GC Thread", ThreadKind::kCollector},
    {"ParGC", ThreadKind::kCollector},
    {"G1 ", ThreadKind::kCollector},
    {"Shenandoah", ThreadKind::kCollector},
    {"ZWorker", ThreadKind::kCollector},
    {"XWorker", ThreadKind::kCollector},
    {"RuntimeWorker", ThreadKind::kCollector},
    {"ZDriver", ThreadKind::kCollector},
    {"XDriver", ThreadKind::kCollector},
    {"ZDirector", ThreadKind::kCollector},
    {"XDirector", ThreadKind::kCollector},
    {"ZStat", ThreadKind::kCollector},
    {"XStat", ThreadKind::kCollector},
    {"ZUn", ThreadKind::kCollector},
    {"XUn", ThreadKind::kCollector},
    {"VM Thread", ThreadKind::kVmThread},
    {"VM ", ThreadKind::kVmOther},
    {"Service Thread", ThreadKind::kVmOther},
    {"Signal ", ThreadKind::kVmOther},
    {"Monitor Defl", ThreadKind::kVmOther},
    {"Monitor..", ThreadKind::kVmOther},
    {"Notification Th", ThreadKind::kVmOther},
    {"Notific..", ThreadKind::kVmOther},
    {"Sweeper thread", ThreadKind::kVmOther},
    {"JFR ", ThreadKind::kVmOther},
    {"rec ", ThreadKind::kOurs},
};

}  // namespace

ThreadKind kind_named(const char* name) {
  const std::string_view text(name);
  for (const Beginning& each : kBeginnings)
    if (text.starts_with(each.text)) return each.kind;
  return ThreadKind::kNative;
}

}  // namespace rec::agent
