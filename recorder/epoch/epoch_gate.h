// SPDX-License-Identifier: Apache-2.0
// EpochGate lets writers in and tells the recorder thread when the last one has left. One per process, in static
// storage, so that a handler may knock at any time: before start, during stop, after it.
//
//   writer:    read current -> count in -> read current again -- same? --> inside ... count out
//                  ^                                          |
//                  +------- try again <------- count out <----+ moved
//
//   recorder:  set current -> wait until the old set's counts are 0
//
// All four accesses are seq_cst: either the recorder's sum sees the writer's count, or the writer's second read sees
// that the epoch has moved. A pin set is a stripe of counters per group of threads; a set whose pins never end is
// retired, not reused. Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "recorder/spool/limits.h"
#include "recorder/spool/loss.h"

namespace rec {

class Epoch;

// What a writer holds while it is inside. Nothing: `why` says which Loss to count.
struct Pin {
  Epoch* epoch = nullptr;
  std::atomic<uint32_t>* stripe = nullptr;
  Loss why = Loss::kNotRecording;
};

class EpochGate {
 public:
  constexpr EpochGate() = default;

  // Writers; a pin lives shorter than a handler.
  Pin try_pin();
  // seq_cst: pairs with the loads in idle(); who finds 0 there sees all that was written under the pin.
  static void unpin(const Pin& pin) { pin.stripe->fetch_sub(1, std::memory_order_seq_cst); }

  // Recorder thread. A set is reserved for an epoch until it is released; -1: all are retired.
  int reserve_set();
  void release_set(int set);
  void open(int set, Epoch* epoch);  // `epoch` becomes current
  void close();                      // nothing is current
  bool idle(int set) const;          // no pins; exact once the set is not current any more

 private:
  struct alignas(64) Stripe {
    std::atomic<uint32_t> pins{0};
  };
  struct Set {
    std::array<Stripe, kPinStripes> stripes{};
    std::atomic<Epoch*> epoch{nullptr};
    bool reserved = false;  // recorder thread
  };
  // serial << 8 | set + 1; 0: closed. The serial makes each opening a new value.
  std::atomic<uint64_t> current_{0};
  uint64_t serial_ = 0;  // recorder thread
  std::array<Set, kPinSets> sets_{};
};

}  // namespace rec
