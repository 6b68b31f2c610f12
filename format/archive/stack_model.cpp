// SPDX-License-Identifier: Apache-2.0
#include "format/archive/stack_model.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace jfr::archive {
namespace {

// How many bytes both end with.
size_t common_end(std::span<const uint8_t> one, std::span<const uint8_t> other) {
  const size_t most = std::min(one.size(), other.size());
  const uint8_t *const end = one.data() + one.size(), *const other_end = other.data() + other.size();
  size_t same = 0;
  for (uint64_t a, b; same + sizeof a <= most; same += sizeof a) {
    std::memcpy(&a, end - same - sizeof a, sizeof a);
    std::memcpy(&b, other_end - same - sizeof b, sizeof b);
    if (a != b) return same + static_cast<size_t>(std::countl_zero(a ^ b)) / 8;
  }
  while (same < most && end[-1 - static_cast<ptrdiff_t>(same)] == other_end[-1 - static_cast<ptrdiff_t>(same)]) ++same;
  return same;
}

}  // namespace

StackModel::StackModel(Streams& streams)
    : streams_(streams),
      leaves_(streams.add_numbers()),
      fresh_(streams.add_numbers()),
      runs_(streams.add_numbers()),
      back_(streams.add_numbers()),
      fields_(streams.add_numbers()) {
  for (uint32_t i = 1; i < kFields; ++i) streams.add_numbers();
}

void StackModel::expect(const std::vector<StackFrame>& frames, CallMemory calls) {
  for (size_t i = 1; i < frames.size(); ++i) frames_.find_or_add(frames[i]);
  calls_ = std::move(calls);
}

void StackModel::encode(std::span<const uint8_t> wire, uint64_t count) {
  const bool plain = are_plain_frames(wire, count);
  const size_t shared = plain && plain_ ? shared_depth(wire) : 0;
  unread_.open(wire.first(wire.size() - path_.bytes(shared)), plain);
  before_ = wire;
  plain_ = plain;
  put_leaving(shared, count);
  const uint64_t left = count - path_.depth();
  streams_.numbers(fresh_).put(left);
  put_fresh(left);
}

// Both are plain: the last bytes that they have in common are whole frames, but for the first of them, whose first
// integer may begin in front of these bytes.
size_t StackModel::shared_depth(std::span<const uint8_t> wire) const {
  const size_t depth = path_.depth_within(common_end(wire, before_));
  const size_t bytes = path_.bytes(depth);
  const bool whole = bytes == wire.size() || wire[wire.size() - bytes - 1] < 0x80;
  return whole ? depth : depth - 1;
}

// Goes from the end of what is shared as far as the tree does.
void StackModel::put_leaving(size_t shared, uint64_t count) {
  const size_t depth_before = path_.depth();
  size_t depth = shared;
  uint32_t node = path_.node(depth);
  bool on_path = true;
  next_.reset();
  for (; depth < count; ++depth) {
    const WireFrames::Found found = frames_.find_or_add(unread_.next());
    const uint32_t child = found.is_new ? 0 : tree_.child(node, found.frame);
    if (child == 0) {
      next_ = found;
      break;
    }
    node = child;
    if (on_path && path_.has(depth + 1, node)) continue;
    if (on_path) path_.cut(depth);
    on_path = false;
    path_.push(node, frames_.bytes(found.frame).size());
  }
  if (on_path) path_.cut(depth);
  streams_.numbers(leaves_).put(on_path ? (depth_before - depth) * 2 : uint64_t{tree_.size() - 1 - node} * 2 + 1);
}

void StackModel::put_fresh(uint64_t left) {
  uint64_t run = 0;
  for (; left > 0; --left) {
    const WireFrames::Found found = next_ ? *next_ : frames_.find_or_add(unread_.next());
    next_.reset();
    const Caller caller = tree_.caller(path_.node(path_.depth()));
    const CallMemory::Guess guess = calls_.guess(caller);
    if (!found.is_new && guess.expected == found.frame) {
      ++run;
    } else {
      streams_.numbers(runs_).put(std::exchange(run, 0));
      put_frame(caller, guess, found);
    }
    calls_.learn(caller, guess, found.frame);
    path_.push(tree_.add(path_.node(path_.depth()), found.frame), frames_.bytes(found.frame).size());
  }
  if (run != 0) streams_.numbers(runs_).put(run);
}

void StackModel::put_frame(const Caller& caller, const CallMemory::Guess& guess, WireFrames::Found found) {
  const uint32_t rank = found.is_new ? 0 : calls_.rank(caller, guess, found.frame);
  streams_.numbers(back_).put(found.is_new || rank != 0 ? rank : CallMemory::kRanks + frames_.size() - found.frame);
  if (!found.is_new) return;
  const StackFrame fields = frames_.fields(found.frame);
  for (uint32_t i = 0; i < kFields; ++i) streams_.numbers(fields_ + i).put(fields[i]);
}

std::span<const uint8_t> StackModel::decode() {
  uint32_t node = 0;
  if (!take_leaving(node)) return streams_.fail(), std::span<const uint8_t>();
  const uint64_t fresh = streams_.next(fresh_);
  if (tree_.depth(node) + fresh > kMostFrames || fresh > kMostFrames)
    return streams_.fail(), std::span<const uint8_t>();
  if (wanted_) go_to(node);
  if (!take_fresh(node, fresh)) streams_.fail();
  return wire_.last(path_.bytes());
}

void StackModel::make_room() {
  NumberReader in = streams_.numbers(fresh_).in;
  uint64_t frames = 0, stacks = 0;
  for (uint64_t fresh = 0; frames < kBelieved && stacks < kBelieved && in.next(fresh); ++stacks)
    frames += std::min(fresh, kBelieved);
  tree_.reserve(std::min(frames, kBelieved));
}

void StackModel::learn() {
  wanted_ = false;
  decode();
}

bool StackModel::take_leaving(uint32_t& node) {
  const uint64_t value = streams_.next(leaves_), distance = value / 2;
  const bool anywhere = (value & 1) != 0;
  if (anywhere ? distance >= tree_.size() : distance > depth()) return false;
  if (anywhere)
    node = static_cast<uint32_t>(tree_.size() - 1 - distance);
  else
    node = wanted_ ? path_.node(path_.depth() - distance) : tree_.above(end_, distance);
  return true;
}

// What both paths have in common stays.
void StackModel::go_to(uint32_t node) {
  turns_.clear();
  for (; !path_.has(tree_.depth(node), node); node = tree_.parent(node)) turns_.push_back(node);
  path_.cut(tree_.depth(node));
  if (hashes_wanted_) hash_.cut(path_.depth());
  for (; !turns_.empty(); turns_.pop_back()) extend(turns_.back(), tree_.frame(turns_.back()));
}

void StackModel::extend(uint32_t node, uint32_t frame) {
  if (hashes_wanted_) push_hash(frame);
  const std::span<const uint8_t> bytes = frames_.bytes(frame);
  wire_.put(path_.bytes(), bytes);
  path_.push(node, bytes.size());
}

void StackModel::push_hash(uint32_t frame) {
  for (auto next = static_cast<uint32_t>(hashes_of_frames_.size()); next <= frame; ++next)
    hashes_of_frames_.push_back(StackHash::of(frames_.fields(next)));
  hash_.push(hashes_of_frames_[frame]);
}

bool StackModel::take_fresh(uint32_t node, uint64_t fresh) {
  uint64_t run = fresh == 0 ? 0 : streams_.next(runs_);
  Caller caller = tree_.caller(node);
  for (; fresh > 0 && streams_.ok(); --fresh) {
    const CallMemory::Guess guess = calls_.guess(caller);
    uint32_t frame = guess.expected;
    if (run > 0) {
      --run;
    } else {
      if (!take_frame(caller, guess, frame)) return false;
      if (fresh > 1) run = streams_.next(runs_);
    }
    if (frame == 0 || frame >= frames_.size()) return false;
    calls_.learn(caller, guess, frame);
    node = tree_.add_unlisted(node, frame);
    if (wanted_) extend(node, frame);
    caller = {caller.frame, frame};
  }
  end_ = node;
  return streams_.ok();
}

bool StackModel::take_frame(const Caller& caller, const CallMemory::Guess& guess, uint32_t& frame) {
  const uint64_t back = streams_.next(back_), ranks = CallMemory::kRanks;
  if (back != 0 && back <= ranks) return (frame = calls_.at_rank(caller, guess, static_cast<uint32_t>(back))) != 0;
  if (back >= frames_.size() + ranks) return false;
  frame = static_cast<uint32_t>(frames_.size() + (back == 0 ? 0 : ranks) - back);
  if (back != 0) return true;
  StackFrame fields;
  for (uint32_t i = 0; i < kFields; ++i) fields[i] = streams_.next(fields_ + i);
  frames_.add(fields);
  return true;
}

}  // namespace jfr::archive
