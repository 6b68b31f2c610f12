// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/thread_kinds.h"

#include "jrec/findings/ranking.h"

namespace jrec {

const ThreadKinds::Kind* ThreadKinds::Most::that_explains(double threads) const {
  return static_cast<double>(of_kind) * 3 >= threads ? kind : nullptr;
}

ThreadKinds::Kind* ThreadKinds::kind_of(const std::string& name) {
  if (by_kind_.size() >= Ranking::kMost && !by_kind_.contains(name)) return nullptr;
  return &*by_kind_.try_emplace(name).first;
}

// A thread starts once: what two recordings of one JVM both tell counts once.
void ThreadKinds::start(uint32_t jvm, int64_t number, const std::string& name, int64_t at_ns) {
  Kind* const kind = kind_of(name);
  if (number != 0 && !alive_.try_emplace({jvm, number}, Alive{kind, at_ns}).second) return;
  ++all_.started;
  if (kind != nullptr) ++kind->second.started;
}

void ThreadKinds::end(uint32_t jvm, int64_t number) {
  const auto ends = alive_.find({jvm, number});
  if (ends == alive_.end()) return;
  ++all_.ended;
  if (Kind* const kind = ends->second.kind; kind != nullptr) ++kind->second.ended;
  alive_.erase(ends);
}

ThreadKinds::Most ThreadKinds::most_of(uint64_t Count::*count) const {
  Most most{nullptr, 0, all_.*count};
  for (const Kind& kind : by_kind_)
    if (kind.second.*count > most.of_kind) most.kind = &kind, most.of_kind = kind.second.*count;
  return most;
}

ThreadKinds::Most ThreadKinds::most_that_stay(uint32_t jvm, int64_t since_ns) const {
  Most most;
  std::map<const Kind*, uint64_t> staying;
  for (const auto& [thread, alive] : alive_)
    if (thread.first == jvm && alive.since_ns >= since_ns) ++most.of_all, ++staying[alive.kind];
  for (const auto& [kind, count] : staying)
    if (kind != nullptr && count > most.of_kind) most.kind = kind, most.of_kind = count;
  return most;
}

}  // namespace jrec
