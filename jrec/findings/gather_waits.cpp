// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/gather.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace jrec {
namespace {

// "ReentrantLock" of "java.util.concurrent.locks.ReentrantLock$NonfairSync": the kinds that one thread waits for until
// another one has left. Empty: idle threads are parked for it, too (a condition, a queue, a future).
std::string lock_kind(std::string parked_class) {
  std::ranges::replace(parked_class, '/', '.');
  if (parked_class == "java.util.concurrent.locks.StampedLock") return "StampedLock";
  for (const std::string_view kind :
       std::initializer_list<std::string_view>{"locks.ReentrantLock", "locks.ReentrantReadWriteLock", kSemaphore})
    if (parked_class.starts_with("java.util.concurrent." + std::string(kind) + "$"))
      return std::string(kind.substr(kind.find('.') + 1));
  return {};
}

// rec looks at parked virtual threads now and then (docs/locks.md), JFR is told by each.
bool is_look(EventCells& event, const Facts& facts) {
  return facts.is_of_rec && event.integer("eventThread.virtual") != 0;
}

void take_park(EventCells& event, Facts& facts) {
  const std::string kind = lock_kind(event.text("parkedClass"));
  if (kind == kSemaphore)
    facts.waits.semaphores.add({facts.jvm, event.integer("address")},
                               std::hash<std::string>{}(event.identity("eventThread")), event.text("stackTrace.@site"),
                               event.start_ns(), event.length_ns(), is_look(event, facts));
  else if (!kind.empty())
    facts.waits.park_locks.add({kind, event.text("stackTrace.@site")}, event.start_ns(), event.length_ns(),
                               is_look(event, facts));
}

MonitorEntry monitor_entry(EventCells& event, const Facts& facts) {
  return {facts.jvm,
          event.integer("address"),
          event.all_of_it(),
          {event.identity("eventThread"), event.text("eventThread")},
          {event.identity("previousOwner"), event.text("previousOwner")}};
}

void take_entry(EventCells& event, Facts& facts) {
  if (!facts.is_of_rec) facts.waits.owners.entered(monitor_entry(event, facts));
}

// rec's events name an owner that was asked meanwhile, JFR's the last one.
void take_monitor(EventCells& event, Facts& facts) {
  const std::string monitor_class = event.text("monitorClass");
  facts.waits.monitors.add({monitor_class, event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
  if (facts.is_of_rec)
    facts.waits.owners.waited_for(monitor_class, event.text("previousOwner"), event.start_ns(), event.length_ns());
  else
    facts.waits.owners.waited(monitor_entry(event, facts), monitor_class, event.shown());
}

void take_pinned(EventCells& event, Facts& facts) {
  facts.waits.pinned.add({event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

void take_file(EventCells& event, Facts& facts) {
  facts.waits.files.add({event.text("path"), event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

// Who accepted a connection waits for the next request, which is no delay: the other side has one of the ports then that the system
// lends to who begins one (ip_local_port_range, from 32768 on).
void take_socket(EventCells& event, Facts& facts) {
  constexpr int64_t kFirstLent = 32768;
  const int64_t port = event.integer("port");
  if (port >= kFirstLent) return;
  const std::string host = event.text("host");
  const std::string peer = (host.empty() ? event.text("address") : host) + ":" + std::to_string(port);
  facts.waits.sockets.add({peer, event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

constexpr Gatherer kWaitingGatherers[] = {
    {"jdk.JavaMonitorEnter", take_entry, Gatherer::Time::kAny},
    {"jdk.JavaMonitorEnter", take_monitor, Gatherer::Time::kLasts},
    {"jdk.ThreadPark", take_park, Gatherer::Time::kLasts},
    {"jdk.VirtualThreadPinned", take_pinned, Gatherer::Time::kLasts},
    {"jdk.FileRead", take_file, Gatherer::Time::kLasts},
    {"jdk.FileWrite", take_file, Gatherer::Time::kLasts},
    {"jdk.FileForce", take_file, Gatherer::Time::kLasts},
    {"jdk.SocketRead", take_socket, Gatherer::Time::kLasts},
    {"jdk.SocketWrite", take_socket, Gatherer::Time::kLasts},
};

}  // namespace

std::span<const Gatherer> waiting_gatherers() { return kWaitingGatherers; }

}  // namespace jrec
