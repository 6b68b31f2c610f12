// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/owner_watch.h"

#include <algorithm>
#include <utility>

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
  return requests_.open(stack_depth) && thread_.start([this, stack_depth, threshold_ns](Housekeeper::Pause& pause) {
    run(pause, stack_depth, threshold_ns);
  });
}

void OwnerWatch::stop() { thread_.stop(kEndNs); }

void OwnerWatch::run(Housekeeper::Pause& pause, uint32_t stack_depth, int64_t threshold_ns) {
  const int64_t look_ns = std::clamp(threshold_ns / 2, kShortestLookNs, kLongestLookNs);
  StandingOwner standing(session_, stack_depth);
  while (pause.wait_for(look_ns)) {
    if (!asked_.empty()) collect();
    if (waits_.under_way() > 0) ask(standing);
  }
  for (Asked& each : asked_) requests_.forget(each.ticket);
}

void OwnerWatch::collect() {
  for (Asked& each : asked_) {
    const StackRequests::Answer answer = requests_.answer_of(each.ticket);
    if (!answer.there && ++each.looks < kMostLooks) continue;
    tell(each, {answer.thread, answer.stack, answer.epoch_serial});
    requests_.forget(each.ticket);
  }
  std::erase_if(asked_, [](const Asked& each) { return !each.ticket; });
}

void OwnerWatch::tell(const Asked& asked, const OwnerSeen& seen) {
  if (!seen.thread) return;
  for (const WaitKey& wait : asked.waits) waits_.told(wait, seen);
}

void OwnerWatch::ask(StandingOwner& standing) {
  const std::vector<WaitTable::Due> due = waits_.due(base::now_ticks(), kLongestAskNs);
  if (due.empty()) return;
  const Layout& layout = session_.vm.layout;
  const std::vector<LockOwner> all = all_owners();
  std::vector<Owner> threads;
  for (const LockOwner& each : all) threads.push_back(each.thread);
  const Owners owners(layout, std::move(threads));
  for (const WaitTable::Due& wait : due) {
    const OwnerWord word = owner_of_monitor(layout, wait.monitor);
    const auto owner = owners.find(word, wait.object);
    if (owner) ask_owner(standing, all[*owner], wait, word);
  }
  tell_seen();
}

std::vector<LockOwner> OwnerWatch::all_owners() {
  std::vector<LockOwner> all;
  session_.threads.for_each([&](ThreadRecord& record) {
    if (record.java_thread == 0) return;
    LastCarried none;
    const int64_t carried = carried_thread_id(session_.vm.layout, record.java_thread, record.java_id, none);
    const Owner thread{record.java_thread, carried != 0 ? carried : record.java_id};
    all.push_back({thread, &record, record.os_id.load(std::memory_order_relaxed)});
  });
  return all;
}

// The thread answers only if it holds the lock when it does. It is looked at again just before the signal goes.
void OwnerWatch::ask_owner(StandingOwner& standing, const LockOwner& owner, const WaitTable::Due& wait,
                           const OwnerWord& word) {
  const auto known =
      std::find_if(asked_.begin(), asked_.end(), [&](const Asked& each) { return each.monitor == wait.monitor; });
  if (known != asked_.end()) return known->waits.push_back(wait.key);
  if (asked_.size() >= kMostAsked) return;
  const OwnerCheck while_owner = owner_check(session_.vm.layout, wait.monitor, word);
  Asked asked{wait.monitor, {}, {wait.key}, 0, {}};
  asked.seen = standing.read(owner, while_owner);
  if (!asked.seen)
    asked.ticket = requests_.ask(owner.os_id, {}, while_owner, [&] { return standing.may_be_asked(owner); });
  if (asked.seen || asked.ticket) asked_.push_back(std::move(asked));
}

void OwnerWatch::tell_seen() {
  for (const Asked& each : asked_)
    if (each.seen) tell(each, *each.seen);
  std::erase_if(asked_, [](const Asked& each) { return each.seen.has_value(); });
}

}  // namespace rec::agent
