// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/aarch64/adapter_shape.h"

#include "agent/hotspot/aarch64/code_path.h"
#include "agent/hotspot/aarch64/instruction.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::aarch64 {
namespace {

constexpr uint64_t kMostCode = 4096;  // bytes
// stp x29, x30, [sp, #-16]!; mov x29, sp; ...; mov sp, x29
constexpr uint32_t kPatchSaves = 0xa9bf7bfd, kPatchBegins = 0x910003fd, kPatchEnds = 0x910003bf;
constexpr uint32_t kTakesSender = 0x910003f3;  // mov x19, sp

// From where x29 is set until its frame is dropped.
bool has_frame(uint64_t begin, uint64_t end, uint64_t pc) {
  uint64_t set = 0;
  for (uint64_t at = begin; at < end && at < begin + kMostCode; at += kStep) {
    const uint32_t word = u32_at(at);
    if (word == kPatchBegins) set = at + kStep;
    if (word == kPatchEnds && set != 0) return pc >= set && pc <= at;
  }
  return false;
}

// The way to interpreted code, behind that to compiled code, which ends with the first br: until it copies sp to x19, sp is the
// caller's. A path may not get as far: it leads away to the VM's stubs, or to where all registers are saved.
bool copies_sp_later(uint64_t begin, uint64_t end, uint64_t pc) {
  bool jumped = false;
  for (uint64_t at = begin; at < end && at < begin + kMostCode; at += kStep) {
    if (at < pc) jumped |= instruction_at(at).kind == Instruction::kJumpAway;
    if (at >= pc && u32_at(at) == kTakesSender) return jumped;
  }
  return false;
}

}  // namespace

AdapterReturn return_in_adapter(uint64_t begin, uint64_t end, uint64_t pc) {
  if (has_frame(begin, end, pc)) return {AdapterReturn::kByFp};
  if (u32_at(pc) == kPatchBegins && u32_at(pc - kStep) == kPatchSaves) return {AdapterReturn::kOnStack, 8, 16};
  CodePath path(pc, begin, end);
  path.follow_past(CodePath::kCall, CodePath::kJumpBack);  // until it goes on, or sets sp for compiled code
  if (path.sender_at() == CodePath::kInRegister && copies_sp_later(begin, end, pc))
    return {AdapterReturn::kInRegister, 0, 0};
  if (path.base() != Instruction::kSp) return {};
  AdapterReturn found{AdapterReturn::kInRegister};
  if (path.sender_at() != CodePath::kInRegister) found.caller_above = static_cast<uint64_t>(path.sender_at());
  if (path.return_at() == CodePath::kInRegister) return path.has_return() ? found : AdapterReturn{};
  found.place = AdapterReturn::kOnStack;
  found.above = static_cast<uint64_t>(path.return_at());
  return found;
}

}  // namespace rec::agent::aarch64
