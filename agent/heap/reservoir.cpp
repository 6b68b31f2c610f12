// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/reservoir.h"

#include <cassert>

namespace rec::agent {

Reservoir::Reservoir(uint32_t places, uint64_t seed) : held_(places, {kFree, 0}), random_(seed) {
  free_.reserve(places);
  for (uint32_t place = places; place > 0; --place) free_.push_back(place - 1);
}

uint32_t Reservoir::add(Standing newcomer, std::vector<uint32_t>& let_go) {
  if (!rises(newcomer)) return kNowhere;
  while (free_.empty()) {
    if (level_ >= kMostLevel) return kNowhere;
    thin(let_go);
    if (!rises(newcomer)) return kNowhere;
  }
  const uint32_t place = free_.back();
  free_.pop_back();
  held_[place] = newcomer;
  return place;
}

// To the level, by chance. False: it does not get there.
bool Reservoir::rises(Standing& one) {
  if (one.level() >= level_) return true;
  if (!passes(next_random(random_), level_ - one.level())) return false;
  one.doublings = level_ - one.credit;
  return true;
}

void Reservoir::remove(uint32_t place) {
  assert(holds(place) && "what is there can go");
  held_[place] = {kFree, 0};
  free_.push_back(place);
}

void Reservoir::thin(std::vector<uint32_t>& let_go) {
  ++level_;
  for (uint32_t place = 0; place < places(); ++place) {
    if (!holds(place) || rises(held_[place])) continue;
    remove(place);
    let_go.push_back(place);
  }
}

void Reservoir::relax() {
  if (level_ > 0 && held() < places() / 4) --level_;
}

}  // namespace rec::agent
