// SPDX-License-Identifier: Apache-2.0
// ScratchPool lends handlers room for one walk. A thread's stack may be nearly full when the signal comes, so frames
// never go there. The pool is reserved address space: only what walks have touched takes memory. For handlers, but for
// resize().
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent {

class ScratchPool {
 public:
  // Walks at a time; handlers are short, so this is enough for more cores than most machines have.
  static constexpr int kBuffers = 64;

  // depth: frames a buffer holds. Waits for the walks that are under way; those that begin meanwhile find no buffer.
  // False when there is no address space, or a walk does not end; the pool is as it was then. Ordinary threads, one at
  // a time.
  bool resize(uint32_t depth);

  struct Scratch {
    int index = -1;
    std::span<RawFrame> raw;
    Frame* frames = nullptr;
    explicit operator bool() const { return index >= 0; }
  };
  Scratch try_take();
  // release: pairs with the acquires in try_take() and take_all(): whoever has the buffer next finds us gone from it.
  void give_back(const Scratch& scratch) {
    assert(scratch && (busy_.load(std::memory_order_relaxed) >> scratch.index & 1) && "a buffer comes back once");
    busy_.fetch_and(~(1ull << scratch.index), std::memory_order_release);
  }

 private:
  static constexpr uint64_t kAllBusy = ~uint64_t{0};
  bool take_all();
  bool replace(uint32_t depth);

  std::atomic<uint64_t> busy_{kAllBusy};  // a bit a buffer
  std::byte* memory_ = nullptr;
  size_t stride_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace rec::agent
