// SPDX-License-Identifier: Apache-2.0
// Arena is where an epoch's facts lie: a bump allocator over the spool in units of 8 bytes. Unit 0 is "nothing" and
// never handed out. Fresh memory is zero. Nothing is freed; the epoch drops the whole. Full is normal: take() gives
// null. Signal-safe.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "recorder/spool/fact_records.h"
#include "recorder/spool/meter.h"

namespace rec {

inline constexpr size_t kUnitBytes = 8;

class Arena {
 public:
  struct Block {
    Meter::Outcome outcome;
    bool wake;
    uint32_t unit;
    uint32_t units;
  };

  Arena() = default;
  Arena(std::byte* base, Meter* meter) : base_(base), meter_(meter) {}

  Block take(size_t bytes) {
    assert(bytes > 0 && bytes <= kArenaBytes && "no fact is larger than the arena, and none is empty");
    const uint32_t units = static_cast<uint32_t>((bytes + kUnitBytes - 1) / kUnitBytes);
    const Meter::Claim claim = meter_->claim(units);
    return {claim.outcome, claim.wake, claim.at, units};
  }
  // For what was copied in vain: zeroed, and handed out again if it is still the newest.
  void give_back(const Block& block) {
    assert(block.outcome == Meter::Outcome::kTaken && "give back what take() gave");
    std::memset(at(block.unit), 0, block.units * kUnitBytes);
    meter_->give_back(block.unit, block.units);
  }

  std::byte* at(uint32_t unit) const { return base_ + size_t{unit} * kUnitBytes; }
  template <typename Fact>
  Fact& fact(Ref<Fact> ref) const {
    assert(ref && "unit 0 is nothing, and no fact");
    return *reinterpret_cast<Fact*>(at(ref.unit));
  }
  // acquire: pairs with the exchange in Meter::claim(). Asked after EventLog::claimed(), it covers all that those
  // events refer to.
  uint32_t used_units() const { return meter_->tail.load(std::memory_order_acquire); }

 private:
  std::byte* base_ = nullptr;
  Meter* meter_ = nullptr;
};

}  // namespace rec
