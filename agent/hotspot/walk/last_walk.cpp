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
uint32_t most_tags(uint32_t depth) { return most_frames(depth) + depth; }
uint32_t most_marks(uint32_t depth) { return kRooms * most_fresh(depth); }

FrameMark* marks_in(std::byte* memory) { return reinterpret_cast<FrameMark*>(memory); }

}  // namespace

size_t LastWalk::bytes_for(uint32_t depth) {
  return (most_marks(depth) + most_fresh(depth)) * sizeof(FrameMark) +
         most_frames(depth) * (sizeof(RawFrame) + sizeof(uint32_t)) +
         most_tags(depth) * (sizeof(Frame) + sizeof(uint64_t));
}

LastWalk::LastWalk(std::byte* memory, uint32_t depth)
    : depth_(depth),
      marks_(marks_in(memory)),
      fresh_(marks_ + most_marks(depth)),
      raw_(reinterpret_cast<RawFrame*>(fresh_ + most_fresh(depth))),
      hashes_(reinterpret_cast<uint64_t*>(raw_ + most_frames(depth))),
      root_tag_(reinterpret_cast<Frame*>(hashes_ + most_tags(depth)) + most_tags(depth) - 1),
      unsettled_(reinterpret_cast<uint32_t*>(root_tag_ + 1)) {}

void LastWalk::move(uint64_t up, uint64_t top, uint64_t base) {
  for (FrameMark& mark : std::span(marks_, marks_count_)) {
    mark.sp += up;
    if (mark.fp >= top && mark.fp < base) mark.fp += up;
  }
}

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

uint64_t LastWalk::hash_on(uint32_t begin, uint32_t count) {
  uint64_t hash = begin == 0 ? kStackHashSeed : hashes_[begin - 1];
  for (uint32_t i = begin; i < count; ++i) hashes_[i] = hash = stack_hash_with(hash, tag(i));
  settle(begin, std::min(count, kept_frames()));
  return hash;
}

// A tag is of one epoch. Methods of compiled code are those that they were, and so is native code; what else stood here may be gone, and another
// method at its address. What has no tag may get one.
void LastWalk::settle(uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    const bool settled = (raw_[i].of_compilation || is_native_place(raw_[i].type)) && tag(i).method;
    unsettled_[i] = !settled ? i + 1 : unsettled_in(i);
  }
}

void LastWalk::adopt(const RawFrame* raw, uint32_t count, uint32_t serial) {
  const uint32_t kept = kept_frames();
  raw_count_ = kept;
  marks_count_ = kept_marks_;
  uint32_t fresh_end = fresh_begin_;
  for (uint32_t i = 0; i < fresh_count_; ++i) fresh_end += fresh_[i].frames;
  tags_serial_ = fresh_end == count ? serial : 0;  // 0: the outermost frames are of no mark, and the tags lie too high
  const bool room = marks_count_ + fresh_count_ <= most_marks(depth_) && raw_count_ + fresh_end <= most_frames(depth_);
  if (fresh_lost_ || !room) return forget();
  for (uint32_t i = fresh_count_; i-- > 0;) {
    FrameMark& mark = marks_[marks_count_++] = fresh_[i];
    for (uint32_t frame = 0; frame < fresh_[i].frames; ++frame) {
      raw_[raw_count_] = raw[--fresh_end];
      raw_[raw_count_++].of_compilation = mark.proof.by == FrameProof::By::kCompilation;
    }
    mark.frames = raw_count_;
  }
  if (tags_serial_ != 0) settle(kept, raw_count_);
}

}  // namespace rec::agent
