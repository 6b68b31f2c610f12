// SPDX-License-Identifier: Apache-2.0
// Meter hands out positions of a range that the recorder thread extends ahead of its writers. It lies in the spool's
// header.
//
//   0 ............ tail ............ wake_at ............ limit ............ end of the address space
//   | handed out   | may be handed out; blocks exist      | no blocks: touching this could
//                                                           raise SIGBUS on a full disk
//
// Invariant: tail <= limit. tail is moved by writers (compare-and-swap, so that it never overshoots a limit that may
// grow later); limit and wake_at by the recorder thread. The one writer whose claim passes wake_at is told so, and
// wakes the recorder. Signal-safe.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "recorder/spool/limits.h"

namespace rec {

struct alignas(64) Meter {
  enum class Outcome : uint8_t { kTaken, kFull, kContended };
  struct Claim {
    Outcome outcome;
    bool wake;  // the caller passed wake_at: wake the recorder thread
    uint32_t at;
  };

  std::atomic<uint32_t> tail;
  std::atomic<uint32_t> limit;
  std::atomic<uint32_t> wake_at;

  Claim claim(uint32_t count) {
    assert(count > 0 && "a claim is of something");
    uint32_t at = tail.load(std::memory_order_relaxed);
    for (unsigned tries = 0; tries < kClaimTries; ++tries) {
      // acquire: pairs with the release in grow_to(); the blocks below the limit exist.
      if (count > limit.load(std::memory_order_acquire) - at) return {Outcome::kFull, false, 0};
      // seq_cst, as an acq_rel: pairs with the acquires in EventLog::claimed() and Arena::used_units(), and with
      // give_back(): what was handed out before is zero again. And with set_mark(), as the load below: either we see the
      // mark or the recorder sees the tail.
      if (!tail.compare_exchange_weak(at, at + count, std::memory_order_seq_cst)) continue;
      const uint32_t mark = wake_at.load(std::memory_order_seq_cst);
      return {Outcome::kTaken, at < mark && at + count >= mark, at};
    }
    return {Outcome::kContended, false, 0};
  }

  // Takes back the newest claim if nobody claimed since. The caller has zeroed it.
  void give_back(uint32_t at, uint32_t count) {
    uint32_t end = at + count;
    assert(end <= tail.load(std::memory_order_relaxed) && "only what was handed out comes back");
    // acq_rel: pairs with the exchange in claim(), whose writer finds zeros.
    tail.compare_exchange_strong(end, at, std::memory_order_acq_rel);
  }

  // Recorder thread. release: pairs with the acquire in claim(); the blocks were allocated before.
  void grow_to(uint32_t new_limit) {
    assert(new_limit >= limit.load(std::memory_order_relaxed) && "writers may be below the limit that was");
    limit.store(new_limit, std::memory_order_release);
  }
  // Recorder thread. False: the tail is there already, and nobody will be told of it.
  bool set_mark(uint32_t mark) {
    // seq_cst, both: pairs with the exchange and the load in claim().
    wake_at.store(mark, std::memory_order_seq_cst);
    return tail.load(std::memory_order_seq_cst) < mark;
  }
  void reset(uint32_t first) {
    limit.store(first, std::memory_order_relaxed);
    tail.store(first, std::memory_order_relaxed);
    wake_at.store(UINT32_MAX, std::memory_order_relaxed);
  }
};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "shared with a file, used in handlers");

}  // namespace rec
