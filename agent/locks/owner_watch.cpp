// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/owner_watch.h"

#include <algorithm>

#include "agent/hotspot/state/monitor_words.h"
#include "agent/hotspot/state/owners.h"
#include "agent/hotspot/vm/virtual_thread.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

constexpr int64_t kShortestLookNs = 1'000'000, kLongestLookNs = 10'000'000;
constexpr int64_t kLongestAskNs = 1'000'000'000;
constexpr size_t kMostAsked = 32;     // owners at a time
constexpr uint32_t kMostLooks = 100;  // for an answer; a thread that does not run has none
constexpr int64_t kEndNs = 1'000'000'000;

}  // namespace

bool OwnerWatch::start(uint32_t stack_depth, int64_t threshold_ns) {
  return requests_.open(stack_depth) &&
         thread_.start([this, threshold_ns](Housekeeper::Pause& pause) { run(pause, threshold_ns); });
}

void OwnerWatch::stop() { thread_.stop(kEndNs); }

void OwnerWatch::run(Housekeeper::Pause& pause, int64_t threshold_ns) {
  const int64_t look_ns = std::clamp(threshold_ns / 2, kShortestLookNs, kLongestLookNs);
  while (pause.wait_for(look_ns)) {
    if (!asked_.empty()) collect();
    if (waits_.under_way() > 0) ask();
  }
  for (Asked& each : asked_) requests_.forget(each.ticket);
}

void OwnerWatch::collect() {
  for (Asked& each : asked_) {
    const StackRequests::Answer answer = requests_.answer_of(each.ticket);
    if (!answer.there && ++each.looks < kMostLooks) continue;
    if (answer.thread)
      for (const WaitKey& wait : each.waits) waits_.told(wait, {answer.thread, answer.stack, answer.epoch_serial});
    requests_.forget(each.ticket);
  }
  std::erase_if(asked_, [](const Asked& each) { return !each.ticket; });
}

void OwnerWatch::ask() {
  const std::vector<WaitTable::Due> due = waits_.due(base::now_ticks(), kLongestAskNs);
  if (due.empty()) return;
  const Layout& layout = session_.vm.layout;
  std::vector<Owner> all;
  std::vector<int32_t> os_ids;
  session_.threads.for_each([&](ThreadRecord& record) {
    if (record.java_thread == 0) return;
    LastCarried none;
    const int64_t carried = carried_thread_id(layout, record.java_thread, record.java_id, none);
    all.push_back({record.java_thread, carried != 0 ? carried : record.java_id});
    os_ids.push_back(record.os_id.load(std::memory_order_relaxed));
  });
  const Owners owners(layout, std::move(all));
  for (const WaitTable::Due& wait : due) {
    const OwnerWord word = owner_of_monitor(layout, wait.monitor);
    const auto owner = owners.find(word, wait.object);
    if (owner) ask_owner(os_ids[*owner], wait, word);
  }
}

// The thread answers only if it holds the lock when it does.
void OwnerWatch::ask_owner(int32_t os_id, const WaitTable::Due& wait, const OwnerWord& word) {
  const auto known =
      std::find_if(asked_.begin(), asked_.end(), [&](const Asked& each) { return each.monitor == wait.monitor; });
  if (known != asked_.end()) return known->waits.push_back(wait.key);
  if (asked_.size() >= kMostAsked) return;
  const StackRequests::Ticket ticket = requests_.ask(os_id, {}, owner_check(session_.vm.layout, wait.monitor, word));
  if (ticket) asked_.push_back({wait.monitor, ticket, {wait.key}, 0});
}

}  // namespace rec::agent
