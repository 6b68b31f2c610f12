// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/owners.h"

#include <algorithm>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kAnonymousOwner = 1;  // ObjectMonitor::ANONYMOUS_OWNER
constexpr uint32_t kMaxLockStack = 64;

std::optional<uint32_t> in(const std::unordered_map<uint64_t, uint32_t>& map, uint64_t key) {
  const auto at = map.find(key);
  return at == map.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

Owners::Owners(const Layout& layout, std::vector<Owner> all) : layout_(layout), all_(std::move(all)) {
  for (uint32_t i = 0; i < all_.size(); ++i) {
    const Owner& thread = all_[i];
    by_thread_[thread.java_thread] = i;
    by_id_[static_cast<uint64_t>(thread.id)] = i;
    by_base_.emplace_back(u64_at(thread.java_thread + layout.thread.stack_base), i);
  }
  std::sort(by_base_.begin(), by_base_.end());
}

std::optional<uint32_t> Owners::find(const OwnerWord& owner, uint64_t object) const {
  if (owner.word == kAnonymousOwner) return by_lock_stack(object);
  if (owner.word != 0 && layout_.monitor.owner_is_id) return in(by_id_, owner.word);
  if (owner.word == 0) return owner.java_thread == 0 ? std::nullopt : in(by_thread_, owner.java_thread);
  const auto thread = in(by_thread_, owner.word);
  return thread ? thread : by_stack(owner.word);
}

std::optional<uint32_t> Owners::by_stack(uint64_t address) const {
  const auto at =
      std::upper_bound(by_base_.begin(), by_base_.end(), std::pair<uint64_t, uint32_t>{address, UINT32_MAX});
  if (at == by_base_.end()) return {};
  const uint64_t size = u64_at(all_[at->second].java_thread + layout_.thread.stack_size);
  return address >= at->first - size ? std::optional(at->second) : std::nullopt;
}

std::optional<uint32_t> Owners::by_lock_stack(uint64_t object) const {
  if (object == 0 || layout_.thread.lock_stack == kAbsent || layout_.lock_stack.top == kAbsent) return {};
  for (uint32_t i = 0; i < all_.size(); ++i) {
    const uint64_t thread = all_[i].java_thread;
    const uint32_t begin = layout_.thread.lock_stack + layout_.lock_stack.base;  // _top counts from the thread, too
    const uint32_t end = u32_at(thread + layout_.thread.lock_stack + layout_.lock_stack.top);
    for (uint32_t at = begin; at < end && at < begin + 8 * kMaxLockStack; at += 8)
      if (u64_at(thread + at) == object) return i;
  }
  return {};
}

}  // namespace rec::agent
