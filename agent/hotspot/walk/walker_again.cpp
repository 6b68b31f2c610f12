// SPDX-License-Identifier: Apache-2.0
// What has not moved since the thread's last walk is not decoded again (last_walk.h).
#include <algorithm>

#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/walk/last_walk.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {
namespace {

bool compiled_holds(const FrameMark& mark, const FrameMark& caller, uint64_t id_at) {
  return return_at(caller.sp - kReturnBelowCaller) == caller.pc &&
         (!caller.needs_fp() || u64_at(caller.sp - kSavedFpBelowCaller) == caller.fp) &&
         u32_at(mark.proof.code + id_at) == mark.proof.id;
}

}  // namespace

bool Walker::step_or_follow() {
  if (top_ || registers_known_) {  // the registers have a part in this frame
    const bool on = step();
    last_->start_over(count_);
    return on;
  }
  const uint32_t known = last_->find(pc_, sp_, fp_);
  return known == LastWalk::kNone ? noted_step() : follow(known);
}

bool Walker::noted_step() {
  FrameMark mark{.pc = pc_, .sp = sp_, .fp = fp_};
  const uint32_t before = count_;
  proof_ = {};
  const bool on = step();
  if (on) mark.proof = proof_;
  const bool cut = !on && end_ == WalkEnd::kDepth;
  mark.frames = cut ? 0 : count_ - before;
  last_->note(mark);
  return on;
}

// From a mark that stands here down to where something has changed, or to the root.
bool Walker::follow(uint32_t known) {
  const uint32_t room = static_cast<uint32_t>(frames_.size()) - count_;
  for (uint32_t next = known;; --next) {
    next = compiled_down(next);
    followed_ = last_->mark(known).frames - last_->mark(next).frames;
    if (followed_ > room) return keep(known, room);
    if (!still_holds(next)) {
      followed_ = 0;
      return next == known ? noted_step() : take_over(known, next);
    }
    if (next == 0) return keep(known, room);
  }
}

// Past the compiled frames that stand: most of a deep stack are.
uint32_t Walker::compiled_down(uint32_t index) const {
  const uint64_t id_at = layout_.nmethod.compile_id;
  const auto stands = [id_at](const FrameMark& mark, const FrameMark& caller) {
    return mark.proof.by == FrameProof::By::kCompilation && compiled_holds(mark, caller, id_at);
  };
  while (index > 0 && stands(last_->mark(index), last_->mark(index - 1))) --index;
  return index;
}

bool Walker::still_holds(uint32_t index) {
  const FrameMark& mark = last_->mark(index);
  if (mark.proof.by == FrameProof::By::kWalk || index == 0) return walks_the_same(index);
  const FrameMark& caller = last_->mark(index - 1);
  return mark.proof.by == FrameProof::By::kCompilation
             ? compiled_holds(mark, caller, layout_.nmethod.compile_id)
             : interpreted_holds(mark, caller, last_->frames_of(index)[0].method);
}

bool Walker::interpreted_holds(const FrameMark& mark, const FrameMark& caller, uint64_t method) const {
  const uint64_t end = slot(mark.fp, kReturnSlot + 1);
  return return_at(slot(mark.fp, kReturnSlot)) == caller.pc &&
         sender_above(u64_at(slot(mark.fp, kSenderSpSlot)), end) == caller.sp &&
         (!caller.needs_fp() || u64_at(mark.fp) == caller.fp) && u64_at(slot(mark.fp, kMethodSlot)) == method &&
         u64_at(slot(mark.fp, kBytecodeSlot)) == mark.proof.code &&
         u32_at(method + layout_.method.const_method) == mark.proof.id;
}

bool Walker::walks_the_same(uint32_t index) {
  stand_at(index);
  const bool gap = gap_;
  const uint32_t before = count_;
  const bool on = step();
  const auto expected = last_->frames_of(index);
  const auto found = frames_.subspan(before, count_ - before);
  count_ = before;
  const bool same = std::equal(found.begin(), found.end(), expected.rbegin(), expected.rend());
  if (same && (index == 0 ? !on : on && stands_at(index - 1))) return true;
  gap_ = gap;
  stand_at(index);
  return false;
}

void Walker::stand_at(uint32_t index) {
  const FrameMark& mark = last_->mark(index);
  pc_ = mark.pc;
  sp_ = mark.sp;
  fp_ = mark.fp;  // perhaps an old one, where none is needed
  top_ = registers_known_ = false;
}

bool Walker::stands_at(uint32_t index) const {
  const FrameMark& mark = last_->mark(index);
  return pc_ == mark.pc && sp_ == mark.sp && (fp_ == mark.fp || !mark.needs_fp()) && !registers_known_;
}

bool Walker::keep(uint32_t known, uint32_t room) {
  last_->keep(known);
  kept_ = std::min(last_->kept_frames(), room);
  if (kept_ < last_->kept_frames()) end_ = WalkEnd::kDepth;
  return false;
}

// The marks down to `next`, without it, as if they had been walked.
bool Walker::take_over(uint32_t known, uint32_t next) {
  for (uint32_t i = known; i > next; --i) {
    const auto frames = last_->frames_of(i);
    if (frames.size() > frames_.size() - count_) return stop(WalkEnd::kDepth);
    std::copy(frames.rbegin(), frames.rend(), frames_.begin() + count_);
    count_ += static_cast<uint32_t>(frames.size());
    FrameMark mark = last_->mark(i);
    mark.frames = static_cast<uint32_t>(frames.size());
    last_->note(mark);
  }
  stand_at(next);
  return true;
}

}  // namespace rec::agent
