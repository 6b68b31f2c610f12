// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/gather.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace jrec {
namespace {

// "ReentrantLock" of "java.util.concurrent.locks.ReentrantLock$NonfairSync": the kinds that one thread waits for until
// another one has left. Empty: idle threads are parked for it, too (a condition, a queue, a future).
std::string lock_kind(std::string parked_class) {
  std::ranges::replace(parked_class, '/', '.');
  for (const std::string_view kind : {"locks.ReentrantLock", "locks.ReentrantReadWriteLock", "Semaphore"})
    if (parked_class.starts_with("java.util.concurrent." + std::string(kind) + "$"))
      return std::string(kind.substr(kind.find('.') + 1));
  return {};
}

void take_park(EventCells& event, Facts& facts) {
  if (const std::string kind = lock_kind(event.text("parkedClass")); !kind.empty())
    facts.waits.park_locks.add({kind, event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

void take_monitor(EventCells& event, Facts& facts) {
  facts.waits.monitors.add({event.text("monitorClass"), event.text("stackTrace.@site"), event.text("previousOwner")},
                           event.start_ns(), event.length_ns());
}

void take_pinned(EventCells& event, Facts& facts) {
  facts.waits.pinned.add({event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

void take_file(EventCells& event, Facts& facts) {
  facts.waits.files.add({event.text("path"), event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

constexpr Gatherer kWaitingGatherers[] = {
    {"jdk.JavaMonitorEnter", take_monitor, Gatherer::Time::kLasts},
    {"jdk.ThreadPark", take_park, Gatherer::Time::kLasts},
    {"jdk.VirtualThreadPinned", take_pinned, Gatherer::Time::kLasts},
    {"jdk.FileRead", take_file, Gatherer::Time::kLasts},
    {"jdk.FileWrite", take_file, Gatherer::Time::kLasts},
    {"jdk.FileForce", take_file, Gatherer::Time::kLasts},
};

}  // namespace

std::span<const Gatherer> waiting_gatherers() { return kWaitingGatherers; }

}  // namespace jrec
