// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/outside_walk.h"

namespace rec::agent {

OutsideWalk::OutsideWalk(const VmCode& vm)
    : vm_(vm),
      first_(kDepth),
      second_(kDepth),
      memory_(new std::byte[LastWalk::bytes_for(kDepth)]),
      marks_(memory_.get(), kDepth) {}

OutsideWalk::Place OutsideWalk::place_of(const Layout& layout, uint64_t java_thread) {
  return {state_word(layout, java_thread), frame_anchor(layout, java_thread)};
}

OutsideWalk::Outcome OutsideWalk::begin(uint64_t java_thread) {
  java_thread_ = java_thread;
  walk_ = {};
  marks_.forget();
  before_ = place_of(vm_.layout, java_thread);
  if (state() == VmState::kInJava) return Outcome::kInJava;
  if (!before_.anchor) return Outcome::kNoFrames;
  walk_ = walk_from(vm_, before_.anchor, java_thread_, first_, &marks_);
  marks_.adopt(first_.data(), walk_.count, 0);
  return walk_.count > 0 ? Outcome::kWalked : Outcome::kMoved;
}

bool OutsideWalk::confirm() {
  if (!(place_of(vm_.layout, java_thread_) == before_)) return false;
  if (!before_.anchor) return true;
  const Walk again = walk_from(vm_, before_.anchor, java_thread_, second_, &marks_);
  return same_again(again) && place_of(vm_.layout, java_thread_) == before_;
}

bool OutsideWalk::same_again(const Walk& again) const {
  if (again.count + again.kept != walk_.count || again.end != walk_.end) return false;
  for (uint32_t i = 0; i < walk_.count; ++i) {
    const RawFrame& frame = i < again.count ? second_[i] : marks_.raw(walk_.count - 1 - i);
    if (!(frame == first_[i])) return false;
  }
  return true;
}

}  // namespace rec::agent
