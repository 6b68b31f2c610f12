// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/epoch_gate.h"

#include <cassert>

namespace rec {
namespace {

// Threads' stacks lie far apart, so the stack's address tells threads apart well enough, without a system call.
size_t stripe_of_caller() {
  const char here = 0;
  return static_cast<size_t>((reinterpret_cast<uintptr_t>(&here) >> 16) * 0x9E3779B97F4A7C15u >> 59) % kPinStripes;
}

}  // namespace

Pin EpochGate::try_pin() {
  const size_t stripe = stripe_of_caller();
  for (unsigned tries = 0; tries < kPinTries; ++tries) {
    // seq_cst: pairs with the stores in open() and close().
    const uint64_t seen = current_.load(std::memory_order_seq_cst);
    if (seen == 0) return {nullptr, nullptr, Loss::kNotRecording};
    Set& set = sets_[(seen & 0xFF) - 1];
    std::atomic<uint32_t>& pins = set.stripes[stripe].pins;
    // seq_cst, both: the count pairs with the loads in idle(), the second look with the stores in open() and close().
    // One of the two sides sees the other: see the head of epoch_gate.h.
    pins.fetch_add(1, std::memory_order_seq_cst);
    if (current_.load(std::memory_order_seq_cst) == seen)
      // acquire: pairs with the release in open(); the epoch is ready for writers.
      return {set.epoch.load(std::memory_order_acquire), &pins, Loss::kCount};
    // seq_cst: pairs with the load in idle(), like unpin(). Nothing was written meanwhile.
    pins.fetch_sub(1, std::memory_order_seq_cst);
  }
  return {nullptr, nullptr, Loss::kEpochMoving};
}

int EpochGate::reserve_set() {
  for (size_t set = 0; set < kPinSets; ++set) {
    if (sets_[set].reserved) continue;
    sets_[set].reserved = true;
    return static_cast<int>(set);
  }
  return -1;
}

void EpochGate::release_set(int set) {
  assert(set >= 0 && sets_[static_cast<size_t>(set)].reserved && "a set is released once, by who reserved it");
  sets_[static_cast<size_t>(set)].reserved = false;
}

void EpochGate::open(int set, Epoch* epoch) {
  assert(set >= 0 && static_cast<size_t>(set) < kPinSets && "an epoch opens with the set that was reserved for it");
  assert(sets_[static_cast<size_t>(set)].reserved && "a set belongs to an epoch from reserve_set() to release_set()");
  assert(epoch != nullptr && "writers are let into an epoch");
  // release: pairs with the acquire in try_pin(). seq_cst: pairs with both loads of current_ there.
  sets_[static_cast<size_t>(set)].epoch.store(epoch, std::memory_order_release);
  current_.store(++serial_ << 8 | static_cast<uint64_t>(set + 1), std::memory_order_seq_cst);
}

// seq_cst: pairs with both loads of current_ in try_pin().
void EpochGate::close() { current_.store(0, std::memory_order_seq_cst); }

bool EpochGate::idle(int set) const {
  assert(set >= 0 && static_cast<size_t>(set) < kPinSets && "ask of a set that was reserved");
  // seq_cst: pairs with the count in try_pin(); and with the one in unpin(): what the writer wrote is seen once it is
  // 0.
  for (const Stripe& stripe : sets_[static_cast<size_t>(set)].stripes)
    if (stripe.pins.load(std::memory_order_seq_cst) != 0) return false;
  return true;
}

}  // namespace rec
