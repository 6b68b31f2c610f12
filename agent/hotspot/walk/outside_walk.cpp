// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/outside_walk.h"

#include <algorithm>
#include <utility>

#include "agent/hotspot/processor/load_order.h"
#include "agent/hotspot/processor/prefetch.h"
#include "agent/process/standing_place.h"

namespace rec::agent {
namespace {

constexpr uint64_t kExpectedStack = 1024;  // bytes: some 20 frames

}  // namespace

OutsideWalk::OutsideWalk(const VmCode& vm, NativeFrames native)
    : vm_(vm),
      shown_(shown_with(CarrierFrames::kShown, native)),
      first_(kDepth),
      second_(kDepth),
      memory_(new std::byte[LastWalk::bytes_for(kDepth)]),
      marks_(memory_.get(), kDepth) {
  if (native == NativeFrames::kShown) tasks_.emplace();
}

OutsideWalk::Place OutsideWalk::place_of(const Layout& layout, uint64_t java_thread) {
  return {state_word(layout, java_thread), frame_anchor(layout, java_thread)};
}

OutsideWalk::Outcome OutsideWalk::begin(uint64_t java_thread, int32_t os_id) {
  java_thread_ = java_thread;
  walk_ = {};
  native_on_top_ = 0;
  before_ = place_of(vm_.layout, java_thread);
  if (state() == VmState::kInJava) return Outcome::kInJava;
  const StandingPlace at = os_id != 0 && tasks_ ? standing_place(*tasks_, os_id) : StandingPlace{};
  start_ = start_of_walk(vm_, before_.anchor, java_thread, at.pc, at.sp);
  if (!before_.anchor) return walk_without_java();
  walk_first();
  return walk_.count > 0 ? Outcome::kWalked : Outcome::kMoved;
}

// Nothing of Java's may be found: the registers that its innermost frame needs are not known.
OutsideWalk::Outcome OutsideWalk::walk_without_java() {
  if (start_.pc() == 0) return Outcome::kNoFrames;
  walk_ = walk_again(first_, nullptr);
  if (walk_.end != WalkEnd::kNoJavaFrame) walk_ = {};
  native_on_top_ = walk_.count;
  return walk_.count > 0 ? Outcome::kWalked : Outcome::kNoFrames;
}

Walk OutsideWalk::walk_again(std::span<RawFrame> frames, LastWalk* last) const {
  return walk_stack(vm_, start_, java_thread_, frames, shown_, last);
}

void OutsideWalk::expect(uint64_t java_thread) const {
  const Layout::Thread& thread = vm_.layout.thread;
  for (const uint32_t field : {thread.osthread, thread.anchor, thread.state, thread.stack_base})
    prefetch(java_thread + field);
}

void OutsideWalk::expect_stack(uint64_t java_thread) const {
  if (const FrameAnchor anchor = frame_anchor(vm_.layout, java_thread)) prefetch(anchor.sp, kExpectedStack);
}

// What stands as the marks have it follows the frames that were walked. Where it was cut, marks and frames would begin in
// different places.
void OutsideWalk::walk_first() {
  const uint64_t top = before_.anchor.sp;
  marks_.move(top - marks_top_, marks_top_, marks_base_);
  marks_top_ = top;
  marks_base_ = u64_at(java_thread_ + vm_.layout.thread.stack_base);
  walk_ = walk_again(first_, &marks_);
  if (walk_.end == WalkEnd::kDepth && walk_.kept > 0) {
    marks_.forget();
    walk_ = walk_again(first_, &marks_);
  }
  marks_.adopt(first_.data(), walk_.count, 0);
  const uint32_t kept = std::exchange(walk_.kept, 0);
  for (uint32_t i = kept; i-- > 0;) first_[walk_.count++] = marks_.raw(i);
  const auto is_java = [](const RawFrame& frame) { return !is_native_place(frame.type); };
  native_on_top_ = static_cast<uint32_t>(std::ranges::find_if(frames(), is_java) - frames().begin());
  const uint32_t marked = marks_.marks() == 0 ? 0 : marks_.mark(marks_.marks() - 1).frames;
  kept_ = std::exchange(all_marked_, marked + native_on_top_ == walk_.count) ? kept : 0;
}

bool OutsideWalk::confirm() {
  loads_until_here();
  if (!(place_of(vm_.layout, java_thread_) == before_)) return false;
  if (walk_.count == 0) return true;
  loads_until_here();
  const Walk again = walk_again(second_, before_.anchor ? &marks_ : nullptr);
  loads_until_here();
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
