// SPDX-License-Identifier: Apache-2.0
// ScratchPool lends handlers room for one walk. A thread's stack may be nearly full when the signal comes, so frames
// never go there. The pool is reserved address space: only what walks have touched takes memory. For handlers, but for
// resize() and provide().
//
// A handler is short, but where thousands of threads want a few processors it loses its own in the middle of a walk, for
// seconds: then there are as many walks under way as threads. So the pool has rows, as many as the process' threads need.
//
//   row 0   [64 buffers]   always there
//   row 1   [64 buffers]   from the 65th thread on
//   ...
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent {

class ScratchPool {
 public:
  static constexpr size_t kInRow = 64, kRows = 32;
  static constexpr size_t kMost = kInRow * kRows;  // walks at a time

  // depth: frames a buffer holds. Waits for the walks that are under way; those that begin meanwhile find no buffer.
  // False when there is no address space, or a walk does not end; the pool is as it was then. Ordinary threads.
  bool resize(uint32_t depth);
  // Makes room for so many walks at a time, kMost at most, behind the first resize(). The pool stays as it is where there is no
  // address space, or while somebody else is here. Ordinary threads.
  void provide(size_t walks);

  struct Scratch {
    int index = -1;
    std::span<RawFrame> raw;
    Frame* frames = nullptr;
    explicit operator bool() const { return index >= 0; }
  };
  Scratch try_take();
  // release: pairs with the acquires in take_of() and take(): whoever has the buffer next finds us gone from it.
  void give_back(const Scratch& scratch) {
    Row& row = rows_[static_cast<size_t>(scratch.index) / kInRow];
    const uint64_t bit = uint64_t{1} << (static_cast<size_t>(scratch.index) % kInRow);
    assert(scratch && (row.busy.load(std::memory_order_relaxed) & bit) != 0 && "a buffer comes back once");
    row.busy.fetch_and(~bit, std::memory_order_release);
  }

 private:
  static constexpr uint64_t kAllBusy = ~uint64_t{0};
  struct Row {
    std::atomic<uint64_t> busy{kAllBusy};  // a bit a buffer; all of a row that is not there
    std::byte* memory = nullptr;           // good for who has a buffer of it
  };

  bool take_all();
  static bool take(Row& row);
  void open(Row& row);
  Scratch take_of(size_t row);
  size_t row_bytes() const { return stride_ * kInRow; }

  std::mutex mutex_;  // of resize() and provide()
  std::array<Row, kRows> rows_;
  std::atomic<size_t> open_rows_{0};
  size_t stride_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace rec::agent
