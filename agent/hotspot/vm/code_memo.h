// SPDX-License-Identifier: Apache-2.0
// CodeMemo remembers what was found out about a pc of compiled code: which scope it belongs to, say. The same return
// addresses come again in every sample, and so do the instructions of a loop. An entry holds only for the compilation it
// was made of, told by its compile id, which HotSpot never gives twice; so code that was flushed and replaced at the same
// address misses. Signal-safe.
//
//   key    pc                                                   0: empty, 1: being written
//   value  compile id, 32 bits | flag, 1 bit | answer, 31 bits
//
// A writer takes the slot by changing its key to 1 and gives up when somebody else has; a reader looks at the key
// before and after the value.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

class CodeMemo {
 public:
  static constexpr uint32_t kMaxValue = (1u << 31) - 1;

  // A distance of up to a gigabyte, either way, as an answer.
  static constexpr uint32_t of_distance(int64_t distance) {
    const int64_t biased = distance + kMiddle;
    return biased < 0 || biased > kMaxValue ? ~0u : static_cast<uint32_t>(biased);
  }
  static constexpr int64_t distance_of(uint32_t answer) { return int64_t{answer} - kMiddle; }

  struct Answer {
    uint32_t value = 0;
    bool flag = false;
    bool hit = false;
  };

  Answer find(uint64_t pc, uint32_t compile_id) const {
    const Slot& slot = slots_[index_of(pc)];
    // acquire: pairs with the release in remember(); the value is of this pc, or of a writer that came since.
    if (slot.key.load(std::memory_order_acquire) != pc) return {};
    const uint64_t value = slot.value.load(std::memory_order_relaxed);
    // Keeps the second look behind the value. Pairs with the fence in remember(): who sees a value of a new writer sees its key.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (slot.key.load(std::memory_order_relaxed) != pc || value >> 32 != compile_id) return {};
    return {static_cast<uint32_t>(value) & kMaxValue, (value & kFlag) != 0, true};
  }

  void remember(uint64_t pc, uint32_t compile_id, uint32_t answer, bool flag) {
    if (answer > kMaxValue) return;
    Slot& slot = slots_[index_of(pc)];
    uint64_t key = slot.key.load(std::memory_order_relaxed);
    // acquire: pairs with the release below, of the writer before.
    if (key == kWriting || !slot.key.compare_exchange_strong(key, kWriting, std::memory_order_acquire)) return;
    // Keeps the value behind the key. Pairs with the fence in find().
    std::atomic_thread_fence(std::memory_order_release);
    slot.value.store(static_cast<uint64_t>(compile_id) << 32 | (flag ? kFlag : 0) | answer, std::memory_order_relaxed);
    // release: pairs with the acquires in find() and above.
    slot.key.store(pc, std::memory_order_release);
  }

 private:
  static constexpr size_t kSlots = 1 << 13;  // 128 KiB, touched as used
  static constexpr uint64_t kWriting = 1;
  static constexpr uint64_t kFlag = 1ull << 31;
  static constexpr int64_t kMiddle = 1 << 30;

  struct alignas(16) Slot {
    std::atomic<uint64_t> key{0};
    std::atomic<uint64_t> value{0};
  };
  static size_t index_of(uint64_t pc) { return pc * 0x9e3779b97f4a7c15ull >> 51; }
  static_assert(kSlots == 1 << (64 - 51));

  std::array<Slot, kSlots> slots_;
};

}  // namespace rec::agent
