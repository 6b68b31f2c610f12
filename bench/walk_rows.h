// SPDX-License-Identifier: Apache-2.0
// WalkRows keeps what one signal measured of three ways to walk a stack, and prints what all of them say: rec's walker
// from scratch, rec's walker with its memory of the thread's last walk, and AsyncGetCallTrace.
//
// Of each signal only the walker that went first is timed fairly ("cold"): it met the stack as the application left it.
// The others find the caches warm ("warm"); that figure is printed apart and is no basis for a comparison.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "agent/hotspot/walk/stack_walker.h"

namespace rec::bench {

enum Walker : uint8_t { kOurs, kAgain, kTheirs, kWalkers };

struct WalkRow {
  Walker first = kOurs;
  std::array<uint32_t, kWalkers> time_ns{};           // by Walker
  agent::WalkEnd end = agent::WalkEnd::kNoJavaFrame;  // of ours
  int32_t our_frames = 0;
  int32_t their_frames = 0;  // of AsyncGetCallTrace: 0 or less is its reason why not
  int32_t kept_frames = 0;   // of ours that the memory had
  bool same = false;         // the same methods, all of them
  bool again_same = false;   // with and without the memory: the same frames, the same end
  bool our_success() const { return end == agent::WalkEnd::kRoot; }
  bool their_success() const { return their_frames > 0; }
};

class WalkRows {
 public:
  static constexpr uint32_t kMaxRows = 1 << 19;  // later ones are dropped and counted

  WalkRows() : rows_(new WalkRow[kMaxRows]) {}

  // Signal-safe.
  void add(const WalkRow& row);

  // On stderr. No signal may come any more.
  void print() const;

 private:
  uint32_t size() const;
  void print_times(Walker walker, const char* name) const;
  void print_failures() const;

  std::unique_ptr<WalkRow[]> rows_;
  std::atomic<uint32_t> used_{0};
};

}  // namespace rec::bench
