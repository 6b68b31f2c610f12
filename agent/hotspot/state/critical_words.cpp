// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/critical_words.h"

#include <algorithm>
#include <utility>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kLockBytes = 128;  // of a Monitor: its owner, a mutex, a condition variable, its name.
constexpr uint64_t kMutexBytes = 48;  // of these: its owner, the mutex

constexpr size_t kMostSlots = 3;

}  // namespace

void CriticalWords::open(const VmLibrary& library, std::vector<uint32_t> slots) {
  library.find({{"_ZN8GCLocker9_needs_gcE", needs_},
                {"_ZN8GCLocker22_is_gc_request_pendingE", pending_},
                {"_ZN12ZJNICritical6_countE", z_count_},
                {"JNICritical_lock", jni_lock_},
                {"Heap_lock", heap_lock_},
                {"_ZN12ZJNICritical5_lockE", z_lock_}});
  slots_ = std::move(slots);
}

CriticalWords::Held CriticalWords::held() const {
  if (needs_ != 0 && u8_at(needs_) != 0) return Held::kGaveUp;
  const bool asks =
      (pending_ != 0 && u8_at(pending_) != 0) || (z_count_ != 0 && static_cast<int64_t>(u64_at(z_count_)) < 0);
  return asks ? Held::kAsks : Held::kNo;
}

std::vector<uint32_t> slots_that_counted(std::span<const std::vector<uint32_t>, std::size(kDepths)> pictures) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < pictures[0].size(); ++i) {
    bool counted = true;
    for (size_t at = 0; at < pictures.size(); ++at) counted = counted && pictures[at][i] == kDepths[at];
    if (counted) found.push_back(4 * i);
  }
  return found.size() <= kMostSlots ? found : std::vector<uint32_t>{};
}

bool CriticalWords::knows_inside() const { return !slots_.empty(); }

bool CriticalWords::inside(uint64_t java_thread) const {
  const auto counts = [&](uint32_t slot) { return u32_at(java_thread + slot) != 0; };
  return knows_inside() && std::ranges::all_of(slots_, counts);
}

// Who collects holds Heap_lock meanwhile, so that waits for it are such waits; who gave up does not. Its condition
// variable is another matter: the "Reference Handler" sleeps there for most of its life.
bool CriticalWords::waits_on(uint64_t futex, Held held) const {
  const auto is_in = [&](uint64_t pointer, uint64_t bytes) {
    const uint64_t lock = pointer == 0 ? 0 : u64_at(pointer);
    return lock != 0 && futex >= lock && futex < lock + bytes;
  };
  return is_in(jni_lock_, kLockBytes) || is_in(z_lock_, kLockBytes) ||
         (held == Held::kAsks && is_in(heap_lock_, kMutexBytes));
}

void CriticalWords::owner(const std::function<bool(uint64_t)>& is_thread) const {
  const uint64_t lock = jni_lock_ == 0 ? 0 : u64_at(jni_lock_);
  if (lock == 0) return;
  for (uint64_t at = 0; at < kLockBytes; at += 8)
    if (is_thread(u64_at(lock + at))) return;
}

}  // namespace rec::agent
