// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/code_loop.h"

#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/instruction.h"

namespace rec::agent {
namespace {

constexpr int kMostInstructions = 768;  // of a loop; C2 unrolls to some 60 nodes, twice or more
constexpr int kMostToPoll = 48, kNear = 4;

}  // namespace

CodeLoop loop_around(uint64_t pc, uint64_t code_begin, uint64_t code_end) {
  uint64_t at = pc;
  for (int i = 0; i < kMostInstructions && at < code_end; ++i) {
    const Instruction instruction = instruction_at(at);
    if (bytes_of(instruction) == 0 || instruction.kind == Instruction::kReturn) return {};
    at += bytes_of(instruction);
    const bool leads_back = instruction.target <= pc && instruction.target >= code_begin;  // and to no stub
    if (instruction.kind == Instruction::kBranch && leads_back) return {instruction.target, at};
  }
  return {};
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

}  // namespace rec::agent
