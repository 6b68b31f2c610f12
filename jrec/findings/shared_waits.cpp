// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/shared_waits.h"

#include <algorithm>
#include <tuple>

namespace jrec {

void SharedWaits::add(const Thing& thing, uint64_t thread, const std::string& site, int64_t at_ns, double length_ns,
                      bool is_look) {
  if (count_ == kMost || length_ns <= 0) return;
  if (sites_.size() == Ranking::kMost && !sites_.contains(site)) return;
  Lengths one;
  one.add(at_ns, length_ns);
  ++count_;
  waits_[thing].push_back({at_ns, one.end_ns, thread, &*sites_.insert(site).first, is_look});
}

size_t SharedWaits::threads_of(const std::vector<Wait>& waits) {
  std::set<uint64_t> threads;
  for (const Wait& wait : waits) threads.insert(wait.thread);
  return threads.size();
}

// From one beginning or end to the next, it is known how many threads wait. fewest: that many count.
void SharedWaits::rank(const std::vector<Wait>& waits, size_t fewest, const std::string& kind, Ranking& ranking) {
  struct Edge {
    int64_t at_ns;
    bool begins;
    size_t wait;
  };
  std::vector<Edge> edges;
  for (size_t i = 0; i < waits.size(); ++i) {
    edges.push_back({waits[i].from_ns, true, i});
    edges.push_back({waits[i].to_ns, false, i});
  }
  // An end before a beginning at the same time: they do not meet.
  std::ranges::sort(edges, [](const Edge& a, const Edge& b) {
    return std::tie(a.at_ns, a.begins, a.wait) < std::tie(b.at_ns, b.begins, b.wait);
  });
  std::map<uint64_t, size_t> waiting;  // threads; two recorders may tell of one wait
  std::vector<double> shared_before(waits.size());
  double shared_ns = 0;
  int64_t last_ns = 0;
  for (const Edge& edge : edges) {
    const Wait& wait = waits[edge.wait];
    if (waiting.size() >= fewest) shared_ns += static_cast<double>(edge.at_ns) - static_cast<double>(last_ns);
    last_ns = edge.at_ns;
    if (edge.begins) {
      shared_before[edge.wait] = shared_ns;
      ++waiting[wait.thread];
      continue;
    }
    if (--waiting[wait.thread] == 0) waiting.erase(wait.thread);
    const double length_ns = shared_ns - shared_before[edge.wait];
    if (length_ns > 0) ranking.add({kind, *wait.site, ""}, wait.from_ns, length_ns, wait.is_look);
  }
}

Ranking SharedWaits::ranked(const std::string& kind, bool all_at_once) const {
  constexpr size_t kSeveral = 2;
  Ranking ranking;
  for (const auto& [thing, waits] : waits_)
    rank(waits, all_at_once ? std::max(kSeveral, threads_of(waits)) : kSeveral, kind, ranking);
  return ranking;
}

}  // namespace jrec
