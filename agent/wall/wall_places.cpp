// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/wall_places.h"

#include <utility>

namespace rec::agent {

void WallPlaces::turn(Epoch& epoch) {
  if (std::exchange(serial_, epoch.serial()) == epoch.serial()) return;
  std::erase_if(places_, [](const auto& each) { return each.second.users == 0; });
  numbers_.clear();
  kept_ = 0;
  for (auto& [number, place] : places_) {
    place.stack = place.kept ? place.lease.retag_stack(epoch) : Ref<StackFact>{};
    kept_ += place.kept;
    if (place.stack) numbers_[key_of(place.stack, place.state)] = number;
  }
}

uint64_t WallPlaces::enter(Epoch& epoch, HashedFrames frames, bool truncated, uint32_t state) {
  const Ref<StackFact> stack = epoch.intern_hashed(frames, truncated, 0);
  if (!stack) return 0;
  const auto [known, is_new] = numbers_.try_emplace(key_of(stack, state), last_number_ + 1);
  if (!is_new) return known->second;
  Place& place = places_[++last_number_];
  place.stack = stack;
  place.state = state;
  return last_number_;
}

void WallPlaces::hold(uint64_t number) {
  if (const auto place = places_.find(number); place != places_.end()) ++place->second.users;
}

void WallPlaces::let_go(uint64_t number) {
  if (const auto place = places_.find(number); place != places_.end() && place->second.users > 0) --place->second.users;
}

void WallPlaces::keep_held(Epoch& epoch) {
  for (auto& [number, place] : places_)
    if (place.users > 0) keep(epoch, place);
}

void WallPlaces::keep(Epoch& epoch, Place& place) {
  if (place.kept || !place.stack || kept_ == kMostKept) return;
  place.lease.take_stack(epoch, place.stack);
  place.kept = true;
  ++kept_;
}

Ref<StackFact> WallPlaces::stack(uint64_t number) const {
  const auto place = places_.find(number);
  return place == places_.end() ? Ref<StackFact>{} : place->second.stack;
}

uint32_t WallPlaces::state(uint64_t number) const {
  const auto place = places_.find(number);
  return place == places_.end() ? 0 : place->second.state;
}

}  // namespace rec::agent
