// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/last_walk.h"

#include <algorithm>

namespace rec::agent {
namespace {

constexpr uint32_t kRooms = 2;  // a stack may be cut at the depth and grow on: so many depths until all is forgotten
// Frames on the stack that show no Java frame: where Java was entered, where the walk was cut.
constexpr uint32_t kBareMarks = 64;

uint32_t most_fresh(uint32_t depth) { return depth + kBareMarks; }
uint32_t most_frames(uint32_t depth) { return kRooms * depth; }
uint32_t most_marks(uint32_t depth) { return kRooms * most_fresh(depth); }

FrameMark* marks_in(std::byte* memory) { return reinterpret_cast<FrameMark*>(memory); }

}  // namespace

size_t LastWalk::bytes_for(uint32_t depth) {
  return (most_marks(depth) + most_fresh(depth)) * sizeof(FrameMark) +
         most_frames(depth) * (sizeof(RawFrame) + sizeof(Frame));
}

LastWalk::LastWalk(std::byte* memory, uint32_t depth)
    : depth_(depth),
      marks_(marks_in(memory)),
      fresh_(marks_ + most_marks(depth)),
      raw_(reinterpret_cast<RawFrame*>(fresh_ + most_fresh(depth))),
      tags_(reinterpret_cast<Frame*>(raw_ + most_frames(depth))) {}

void LastWalk::begin() {
  cursor_ = marks_count_;
  kept_marks_ = 0;
  start_over(0);
}

uint32_t LastWalk::find(uint64_t pc, uint64_t sp, uint64_t fp) {
  while (cursor_ > 0 && marks_[cursor_ - 1].sp < sp) --cursor_;
  if (cursor_ == 0) return kNone;
  const FrameMark& mark = marks_[cursor_ - 1];
  const bool here = mark.sp == sp && mark.pc == pc && (mark.fp == fp || !mark.needs_fp());
  return here ? cursor_ - 1 : kNone;
}

std::span<const RawFrame> LastWalk::frames_of(uint32_t index) const {
  const uint32_t begin = index == 0 ? 0 : marks_[index - 1].frames;
  return {raw_ + begin, marks_[index].frames - begin};
}

void LastWalk::note(const FrameMark& mark) {
  if (fresh_count_ == most_fresh(depth_))
    fresh_lost_ = true;
  else
    fresh_[fresh_count_++] = mark;
}

void LastWalk::adopt(const RawFrame* raw, const Frame* tags, uint32_t serial) {
  raw_count_ = kept_frames();
  marks_count_ = kept_marks_;
  tags_serial_ = serial;
  uint32_t fresh_end = fresh_begin_;
  for (uint32_t i = 0; i < fresh_count_; ++i) fresh_end += fresh_[i].frames;
  const bool room = marks_count_ + fresh_count_ <= most_marks(depth_) && raw_count_ + fresh_end <= most_frames(depth_);
  if (fresh_lost_ || !room) return forget();
  for (uint32_t i = fresh_count_; i-- > 0;) {
    FrameMark& mark = marks_[marks_count_++] = fresh_[i];
    for (uint32_t frame = 0; frame < fresh_[i].frames; ++frame) {
      raw_[raw_count_] = raw[--fresh_end];
      raw_[raw_count_].of_compilation = mark.proof.by == FrameProof::By::kCompilation;
      tags_[raw_count_++] = tags[fresh_end];
    }
    mark.frames = raw_count_;
  }
}

}  // namespace rec::agent
