// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/gather.h"

namespace jrec {
namespace {

// worker-17 and worker-18 are of one kind.
std::string kind_of_thread(const std::string& name) {
  std::string kind;
  for (const char c : name)
    if (c < '0' || c > '9')
      kind += c;
    else if (!kind.ends_with('#'))
      kind += '#';
  return kind;
}

// Of the event's thread; those for whose kind there is no room are counted together.
ThreadCount& count_of(const std::string& kind, ThreadFacts& threads) {
  const bool has_room = threads.by_kind.size() < Ranking::kMost || threads.by_kind.contains(kind);
  return has_room ? threads.by_kind[kind] : threads.of_other_kinds;
}

void take_start(EventCells& event, Facts& facts) {
  const std::string kind = kind_of_thread(event.text("thread"));
  ++facts.threads.started;
  ++count_of(kind, facts.threads).started;
  facts.threads.starters.add({kind, event.text("stackTrace.@site"), kind_of_thread(event.text("parentThread"))},
                             event.start_ns(), 1);
}

void take_end(EventCells& event, Facts& facts) {
  ++count_of(kind_of_thread(event.text("thread")), facts.threads).ended;
}

void take_statistics(EventCells& event, Facts& facts) {
  std::map<uint32_t, Course>& alive = facts.threads.alive;
  if (!alive.contains(facts.jvm) && alive.size() == kMostHeaps) return;
  alive[facts.jvm].add(event.start_ns(), event.number("activeCount"));
}

constexpr Gatherer kThreadGatherers[] = {
    {"jdk.ThreadStart", take_start},
    {"jdk.ThreadEnd", take_end},
    {"jdk.JavaThreadStatistics", take_statistics},
};

}  // namespace

std::span<const Gatherer> thread_gatherers() { return kThreadGatherers; }

}  // namespace jrec
