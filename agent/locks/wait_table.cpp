// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/wait_table.h"

#include <algorithm>
#include <utility>

namespace rec::agent {

bool WaitTable::begin(const WaitKey& key, const Wait& wait) {
  if (under_way() >= kMost) return false;
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  if (shard.waits.insert_or_assign(key, wait).second) under_way_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

bool WaitTable::end(const WaitKey& key, Wait& wait) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.waits.find(key);
  if (at == shard.waits.end()) return false;
  wait = at->second;
  shard.waits.erase(at);
  under_way_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

void WaitTable::clear() {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    under_way_.fetch_sub(static_cast<uint32_t>(shard.waits.size()), std::memory_order_relaxed);
    shard.waits.clear();
  }
}

std::vector<WaitTable::Due> WaitTable::due(int64_t now, int64_t longest_ns) {
  std::vector<Due> all;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (auto& [key, wait] : shard.waits) {
      if (key.what != WaitFor::kEnter || wait.monitor == 0 || now < wait.next_ask_ticks) continue;
      wait.ask_each_ns = std::min(wait.ask_each_ns * 2, longest_ns);
      wait.next_ask_ticks = now + wait.ask_each_ns;
      all.push_back({key, wait.monitor, wait.object});
    }
  }
  return all;
}

Ref<StackFact> Wait::stack_in(Epoch& epoch) const {
  if (stack && epoch_serial == epoch.serial()) return stack;
  return kept ? kept->retag_stack(epoch) : Ref<StackFact>{};
}

void WaitTable::keep_stacks(Epoch& epoch) {
  for (Shard& shard : shards_) keep_stacks(shard, epoch);
}

// The lock is not held while they are copied.
void WaitTable::keep_stacks(Shard& shard, Epoch& epoch) {
  std::vector<std::pair<WaitKey, Wait>> found;
  {
    const std::lock_guard lock(shard.mutex);
    for (const auto& [key, wait] : shard.waits)
      if (wait.stack && wait.epoch_serial == epoch.serial()) found.emplace_back(key, wait);
  }
  for (auto& [key, wait] : found) {
    Lease lease;
    lease.take_stack(epoch, wait.stack);
    wait.kept = std::make_shared<const Lease>(std::move(lease));
  }
  const std::lock_guard lock(shard.mutex);
  for (const auto& [key, wait] : found) {
    const auto at = shard.waits.find(key);
    if (at != shard.waits.end() && at->second.start_ticks == wait.start_ticks) at->second.kept = wait.kept;
  }
}

void WaitTable::told(const WaitKey& key, const OwnerSeen& owner) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  if (const auto at = shard.waits.find(key); at != shard.waits.end()) at->second.owner = owner;
}

}  // namespace rec::agent
