// SPDX-License-Identifier: Apache-2.0
// Heirs are the clocks that have events which outlive an epoch: objects that live, sleeps and waits that go on.
#pragma once

#include "agent/heap/live_clock.h"
#include "agent/locks/lock_clock.h"
#include "agent/wall/wall_clock.h"

namespace rec::agent {

class Heirs final : public Heir {
 public:
  Heirs(LiveClock& live, WallClock& wall, LockClock& lock)
      : live_(live), wall_(wall), lock_(lock) {}  // which outlive it

  void epoch_ends() override { wall_.keep_standing(), lock_.keep_waits(); }
  void inherit(Carrier& carrier) override { live_.inherit(carrier); }

 private:
  LiveClock& live_;
  WallClock& wall_;
  LockClock& lock_;
};

}  // namespace rec::agent
