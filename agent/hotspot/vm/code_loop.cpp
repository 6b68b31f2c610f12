// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/code_loop.h"

#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/instruction.h"

namespace rec::agent {
namespace {

constexpr int kMostInstructions = 768;  // of a loop; C2 unrolls to some 60 nodes, twice or more
constexpr int kMostToPoll = 48, kNear = 4, kMostToCall = 32;
constexpr uint64_t kSkipped = 32;  // bytes, at most, that a branch on the way to a call leads over

// The first branch from `at` on that leads back to `begin` or in front of it.
CodeLoop loop_behind(uint64_t at, uint64_t begin, uint64_t code_begin, uint64_t code_end) {
  for (int i = 0; i < kMostInstructions && at < code_end; ++i) {
    const Instruction instruction = instruction_at(at);
    if (bytes_of(instruction) == 0 || instruction.kind == Instruction::kReturn) return {};
    at += bytes_of(instruction);
    const bool leads_back = instruction.target <= begin && instruction.target >= code_begin;  // and to no stub
    if (instruction.kind == Instruction::kBranch && leads_back) return {instruction.target, at};
  }
  return {};
}

}  // namespace

CodeLoop loop_around(uint64_t pc, uint64_t code_begin, uint64_t code_end) {
  return loop_behind(pc, pc, code_begin, code_end);
}

CodeLoop loop_around(const CodeLoop& inner, uint64_t code_begin, uint64_t code_end) {
  return loop_behind(inner.end, inner.begin, code_begin, code_end);
}

PollBehind poll_behind(uint64_t pc, uint64_t code_end) {
  bool straight = true;
  uint64_t at = pc;
  for (int i = 0; i < kMostToPoll && at < code_end; ++i) {
    if (is_poll(at)) return {at, straight && i < kNear};
    const Instruction instruction = instruction_at(at);
    const bool leaves = instruction.kind == Instruction::kBranch && instruction.target > at;
    if (bytes_of(instruction) == 0 || (instruction.kind != Instruction::kPlain && !leaves)) return {};
    straight = straight && !leaves;
    at += bytes_of(instruction);
  }
  return {};
}

uint64_t behind_call_from(uint64_t pc, uint64_t code_end) {
  uint64_t at = pc;
  for (int i = 0; i < kMostToCall && at < code_end; ++i) {
    const Instruction instruction = instruction_at(at);
    at += bytes_of(instruction);
    if (instruction.kind == Instruction::kCall) return at;
    const bool skips = instruction.kind == Instruction::kBranch && instruction.target - at <= kSkipped;
    if (instruction.kind == Instruction::kJump && instruction.target > at)
      at = instruction.target;
    else if (bytes_of(instruction) == 0 || (instruction.kind != Instruction::kPlain && !skips))
      return 0;
  }
  return 0;
}

}  // namespace rec::agent
