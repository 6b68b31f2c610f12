// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/outside_walk.h"

#include <algorithm>

#include "agent/process/os_state.h"

namespace rec::agent {
namespace {

bool same(const RawFrame& a, const RawFrame& b) { return a.method == b.method && a.bci == b.bci && a.type == b.type; }

}  // namespace

OutsideWalk::Place OutsideWalk::place() const {
  return {state_word(vm_.layout, java_thread_), frame_anchor(vm_.layout, java_thread_)};
}

OutsideWalk::Outcome OutsideWalk::begin(uint64_t java_thread, int32_t os_id) {
  java_thread_ = java_thread;
  os_id_ = os_id;
  walk_ = {};
  stood_still_ = false;
  cpu_ns_ = task_cpu_ns(os_id);
  before_ = place();
  if (state() == VmState::kInJava) return Outcome::kInJava;
  if (!before_.anchor) return Outcome::kNoFrames;
  walk_ = walk_from(vm_, before_.anchor, java_thread_, first_);
  return walk_.count > 0 ? Outcome::kWalked : Outcome::kMoved;
}

bool OutsideWalk::confirm() {
  if (!(place() == before_)) return false;
  stood_still_ = cpu_ns_ >= 0 && task_cpu_ns(os_id_) == cpu_ns_;
  if (stood_still_ || !before_.anchor) return true;
  const Walk again = walk_from(vm_, before_.anchor, java_thread_, second_);
  if (again.count != walk_.count || again.end != walk_.end) return false;
  return std::equal(first_.begin(), first_.begin() + walk_.count, second_.begin(), same) && place() == before_;
}

}  // namespace rec::agent
