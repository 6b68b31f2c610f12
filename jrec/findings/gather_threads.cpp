// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/gather.h"
#include "jrec/findings/kind_of_name.h"

namespace jrec {
namespace {

void take_start(EventCells& event, Facts& facts) {
  const std::string kind = kind_of_name(event.text("thread"));
  facts.threads.kinds.start(facts.jvm, event.thread_number("thread"), kind, event.start_ns());
  facts.threads.starters.add({kind, event.text("stackTrace.@site"), kind_of_name(event.text("parentThread"))},
                             event.start_ns(), 1);
}

void take_end(EventCells& event, Facts& facts) { facts.threads.kinds.end(facts.jvm, event.thread_number("thread")); }

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
