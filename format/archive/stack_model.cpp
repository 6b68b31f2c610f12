// SPDX-License-Identifier: Apache-2.0
#include "format/archive/stack_model.h"

#include <algorithm>

namespace jfr::archive {

StackModel::StackModel(Streams& streams)
    : streams_(streams),
      leaves_(streams.add_numbers()),
      fresh_(streams.add_numbers()),
      runs_(streams.add_numbers()),
      back_(streams.add_numbers()),
      fields_(streams.add_numbers()) {
  for (uint32_t i = 1; i < kFields; ++i) streams.add_numbers();
}

uint32_t StackModel::frame_id(const StackFrame& frame, bool& is_new) {
  const auto found = frame_ids_.find_or_add(frame, static_cast<uint32_t>(frames_.size()));
  is_new = found.is_new;
  if (is_new) {
    frames_.push_back(frame);
  }
  return found.value;
}

uint32_t StackModel::add_node(uint32_t parent, uint32_t frame) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({parent, frame, nodes_[parent].depth + 1});
  return node;
}

void StackModel::put_leaving(uint32_t node) {
  const uint32_t depth = nodes_[node].depth;
  const bool on_path = depth < path_.size() && path_[depth] == node;
  streams_.numbers(leaves_).put(on_path ? (path_.size() - 1 - depth) * 2 : (nodes_.size() - 1 - node) * 2 + 1);
}

bool StackModel::take_leaving(uint32_t& node) {
  const uint64_t value = streams_.next(leaves_), distance = value / 2;
  if (distance >= ((value & 1) != 0 ? nodes_.size() : path_.size())) return false;
  node = (value & 1) != 0 ? static_cast<uint32_t>(nodes_.size() - 1 - distance) : path_[path_.size() - 1 - distance];
  return true;
}

// What both paths have in common stays.
void StackModel::go_to(uint32_t node) {
  const uint32_t depth = nodes_[node].depth;
  path_.resize(depth + 1);
  path_frames_.resize(depth + 1);
  for (uint32_t at = node; path_[nodes_[at].depth] != at; at = nodes_[at].parent) {
    path_[nodes_[at].depth] = at;
    path_frames_[nodes_[at].depth] = frames_[nodes_[at].frame];
  }
}

void StackModel::extend_path(uint32_t node) {
  path_.push_back(node);
  path_frames_.push_back(frames_[nodes_[node].frame]);
}

void StackModel::put_frame(const Caller& caller, uint32_t frame, bool is_new) {
  const uint32_t rank = is_new ? 0 : calls_.rank(caller, frame);
  streams_.numbers(back_).put(is_new || rank != 0 ? rank : CallMemory::kRanks + frames_.size() - frame);
  for (uint32_t i = 0; is_new && i < kFields; ++i) streams_.numbers(fields_ + i).put(frames_[frame][i]);
}

bool StackModel::take_frame(const Caller& caller, uint32_t& frame) {
  const uint64_t back = streams_.next(back_), ranks = CallMemory::kRanks;
  if (back != 0 && back <= ranks) return (frame = calls_.at_rank(caller, static_cast<uint32_t>(back))) != 0;
  if (back >= frames_.size() + ranks) return false;
  frame = static_cast<uint32_t>(frames_.size() + (back == 0 ? 0 : ranks) - back);
  if (back != 0) return true;
  StackFrame fields;
  for (uint32_t i = 0; i < kFields; ++i) fields[i] = streams_.next(fields_ + i);
  frames_.push_back(fields);
  return true;
}

void StackModel::expect(const std::vector<StackFrame>& frames, CallMemory calls) {
  bool is_new = false;
  for (size_t i = 1; i < frames.size(); ++i) frame_id(frames[i], is_new);
  calls_ = std::move(calls);
}

void StackModel::encode(std::vector<StackFrame>& frames) {
  std::ranges::reverse(frames);
  size_t known = 0;  // at first, of the stack before
  while (known < frames.size() && known + 1 < path_.size() && path_frames_[known + 1] == frames[known]) ++known;
  uint32_t node = path_[known];
  for (; known < frames.size(); ++known) {
    const uint32_t* frame = frame_ids_.find(frames[known]);
    const uint32_t* next = frame == nullptr ? nullptr : edges_.find({uint64_t{node} << 32 | *frame});
    if (next == nullptr) break;
    node = *next;
  }
  put_leaving(node);
  streams_.numbers(fresh_).put(frames.size() - known);
  go_to(node);
  uint64_t run = 0;
  for (; known < frames.size(); ++known) {
    bool is_new = false;
    const Caller caller = caller_of(node);
    const uint32_t frame = frame_id(frames[known], is_new);
    if (!is_new && calls_.expected(caller) == frame) {
      ++run;
    } else {
      streams_.numbers(runs_).put(run);
      run = 0;
      put_frame(caller, frame, is_new);
    }
    calls_.learn(caller, frame);
    const uint32_t parent = node;
    node = add_node(parent, frame);
    edges_.find_or_add({uint64_t{parent} << 32 | frame}, node);
    extend_path(node);
  }
  if (run != 0) streams_.numbers(runs_).put(run);
}

void StackModel::decode(std::vector<StackFrame>& frames) {
  frames.clear();
  uint32_t node = 0;
  if (!take_leaving(node)) return streams_.fail();
  const uint64_t fresh = streams_.next(fresh_);
  if (nodes_[node].depth + fresh > kMostFrames) return streams_.fail();
  go_to(node);
  uint64_t run = fresh == 0 ? 0 : streams_.next(runs_);
  for (uint64_t i = 0; i < fresh && streams_.ok(); ++i) {
    const Caller caller = caller_of(node);
    uint32_t frame = calls_.expected(caller);
    if (run > 0) {
      --run;
    } else {
      if (!take_frame(caller, frame)) return streams_.fail();
      if (i + 1 < fresh) run = streams_.next(runs_);
    }
    calls_.learn(caller, frame);
    extend_path(node = add_node(node, frame));
  }
  frames.assign(path_frames_.rbegin(), path_frames_.rend() - 1);
}

}  // namespace jfr::archive
