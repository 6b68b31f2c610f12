// SPDX-License-Identifier: Apache-2.0
#include "agent/main/recording_slot.h"

#include <unistd.h>

namespace rec::agent {
namespace {

constexpr int kMostWaits = 2000;  // of a millisecond

}  // namespace

bool RecordingSlot::clear_and_wait() {
  // seq_cst, both: pairs with the count and the look in RecordingInUse. One of the two sides sees the other.
  recording_.store(nullptr, std::memory_order_seq_cst);
  for (int i = 0; i < kMostWaits; ++i) {
    if (users_.load(std::memory_order_seq_cst) == 0) return true;
    usleep(1000);
  }
  return false;
}

}  // namespace rec::agent
