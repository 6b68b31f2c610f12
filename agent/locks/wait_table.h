// SPDX-License-Identifier: Apache-2.0
// WaitTable holds the waits that are under way, each by its thread and what it waits for. By the thread as Java knows it,
// and not by the one of the system: a virtual thread may begin to wait on one carrier and end on another.
//
//   begin(key) --> [under way] -- due(), told(): what the watcher learns of it --> end(key)
//
// No JVM. Any thread; a lock of one of kShards is held for some ns, in which the VM is not called.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "recorder/epoch/lease.h"
#include "recorder/spool/facts.h"

namespace rec::agent {

enum class WaitFor : uint8_t { kEnter, kNotify };

struct WaitKey {
  int64_t thread = 0;  // its id
  WaitFor what = WaitFor::kEnter;
  friend bool operator==(const WaitKey&, const WaitKey&) = default;
};

// The owner, as it was when it was asked last. Refs are good as long as the epoch of that serial is current.
struct OwnerSeen {
  Ref<ThreadFact> thread;
  Ref<StackFact> stack;
  uint32_t epoch_serial = 0;  // 0: it was not asked, or has not answered
};

struct Wait {
  int64_t start_ticks = 0;
  uint64_t monitor = 0;     // ObjectMonitor*, which stays as long as somebody waits at it; 0: not known
  uint64_t owner_word = 0;  // what the monitor had as its owner then (owners.h); 0: not known
  uint64_t object = 0;      // where the object lay then
  int64_t timeout_ms = 0;   // kNotify
  Ref<StackFact> stack;     // kNotify, of a virtual thread: where it began, in the epoch of
  uint32_t epoch_serial = 0;
  OwnerSeen owner;
  int64_t next_ask_ticks = 0;
  int64_t ask_each_ns = 0;
  std::shared_ptr<const Lease> kept;  // the stack, where its epoch is over

  Ref<StackFact> stack_in(Epoch& epoch) const;  // nothing: it has none
};

class WaitTable {
 public:
  // Beyond kMost nothing is entered.
  static constexpr uint32_t kMost = 1 << 16;

  bool begin(const WaitKey& key, const Wait& wait);
  bool end(const WaitKey& key, Wait& wait);  // false: it was not there
  void clear();
  uint32_t under_way() const { return under_way_.load(std::memory_order_relaxed); }

  // Those for a monitor to enter whose owner is to be asked by now, and when it is to be asked again: each time after
  // twice as long.
  struct Due {
    WaitKey key;
    uint64_t monitor, object;
  };
  std::vector<Due> due(int64_t now, int64_t longest_ns);
  void told(const WaitKey& key, const OwnerSeen& owner);  // without effect if it is over

  // Before the epoch ends, which is pinned: stacks are kept beyond it.
  void keep_stacks(Epoch& epoch);

 private:
  static constexpr size_t kShards = 16;
  struct Hash {
    size_t operator()(const WaitKey& key) const {
      return (static_cast<uint64_t>(key.thread) * 2 + static_cast<uint64_t>(key.what)) * 0x9E3779B97F4A7C15u >> 8;
    }
  };
  struct alignas(64) Shard {
    std::mutex mutex;
    std::unordered_map<WaitKey, Wait, Hash> waits;
  };
  static void keep_stacks(Shard& shard, Epoch& epoch);
  Shard& shard_of(const WaitKey& key) { return shards_[Hash()(key) / 7 % kShards]; }

  std::array<Shard, kShards> shards_;
  std::atomic<uint32_t> under_way_{0};
};

}  // namespace rec::agent
