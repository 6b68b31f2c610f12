// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/epoch_gate.h"

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
    const uint64_t seen = current_.load(std::memory_order_seq_cst);
    if (seen == 0) return {nullptr, nullptr, Loss::kNotRecording};
    Set& set = sets_[(seen & 0xFF) - 1];
    std::atomic<uint32_t>& pins = set.stripes[stripe].pins;
    pins.fetch_add(1, std::memory_order_seq_cst);
    // Pairs with open() and idle(): see the head of epoch_gate.h.
    if (current_.load(std::memory_order_seq_cst) == seen)
      return {set.epoch.load(std::memory_order_acquire), &pins, Loss::kCount};
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

void EpochGate::release_set(int set) { sets_[static_cast<size_t>(set)].reserved = false; }

void EpochGate::open(int set, Epoch* epoch) {
  sets_[static_cast<size_t>(set)].epoch.store(epoch, std::memory_order_release);
  current_.store(++serial_ << 8 | static_cast<uint64_t>(set + 1), std::memory_order_seq_cst);
}

void EpochGate::close() { current_.store(0, std::memory_order_seq_cst); }

bool EpochGate::idle(int set) const {
  for (const Stripe& stripe : sets_[static_cast<size_t>(set)].stripes)
    if (stripe.pins.load(std::memory_order_seq_cst) != 0) return false;
  return true;
}

}  // namespace rec
