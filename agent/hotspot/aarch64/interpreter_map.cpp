// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/aarch64/interpreter_map.h"

#include <algorithm>

#include "agent/hotspot/aarch64/code_path.h"
#include "agent/hotspot/aarch64/frame_slots.h"
#include "agent/hotspot/aarch64/instruction.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::aarch64 {
namespace {

constexpr uint64_t kMaxExit = 512;  // bytes from a frame's end to the jump back

constexpr uint32_t kSaveLink = 0xa9057bfd;     // stp x29, x30, [sp, #80]
constexpr uint32_t kSetFp = 0x910143fd;        // add x29, sp, #80
constexpr uint32_t kStoreSender = 0xa9044fff;  // stp xzr, x19, [sp, #64]
constexpr uint32_t kDropFrame = 0x910003bf;    // mov sp, x29
constexpr uint32_t kLoadLink = 0xa8c17bfd;     // ldp x29, x30, [sp], #16
constexpr uint32_t kTakeSp = 0x9100029f;       // mov sp, x20
constexpr uint32_t kTakeAligned = 0x927cee9f;  // and sp, x20, #-16
constexpr uint32_t kPushThrow = 0xa9bf7be0;    // stp x0, x30, [sp, #-16]!
constexpr uint32_t kPopThrow = 0xa8c17be0;     // ldp x0, x30, [sp], #16

// stp x, x12, [sp, #48]: the method, where kMethodSlot has it.
bool stores_method(uint32_t word) { return (word & 0xffffffe0) == 0xa90333e0; }

uint64_t find(uint64_t from, uint64_t end, uint32_t instruction) {
  for (uint64_t at = from; at + kStep <= end; at += kStep)
    if (u32_at(at) == instruction) return at;
  return 0;
}

// Within the next few instructions: calls of the VM have frames of their own, whose end is no method's.
bool takes_senders_sp(uint64_t at) {
  constexpr int kMost = 6;
  for (int i = 0; i < kMost; ++i, at += kStep)
    if (const uint32_t word = u32_at(at); word == kTakeSp || word == kTakeAligned) return true;
  return false;
}

bool read_exit(uint64_t at, uint64_t end, InterpreterExit& exit) {
  if (u32_at(at) != kDropFrame || u32_at(at + kStep) != kLoadLink) return false;
  exit.after_leave = at + 2 * kStep;
  if (!takes_senders_sp(exit.after_leave)) return false;
  for (at = exit.after_leave; at < end && at < exit.after_leave + kMaxExit; at += kStep) {
    const uint32_t word = u32_at(at);
    if (word == kPushThrow) exit.push = at;
    if (word == kPopThrow && exit.push != 0) exit.pop = at;
    const Instruction::Kind kind = decode(word, at).kind;
    if (kind != Instruction::kReturn && kind != Instruction::kJumpAway) continue;
    exit.end = at + kStep;
    return true;
  }
  return false;
}

// By what the code does from pc until it goes back.
InterpreterCaller caller_by_path(const CodePath& path, uint64_t sp, const Registers& registers) {
  const auto value_of = [&](uint8_t name) {
    return name == Instruction::kNothing ? 0 : registers[Registers::by_number(name)];
  };
  const uint64_t base = path.base() == Instruction::kSp ? sp : value_of(path.base());
  const bool on_stack = path.return_at() != CodePath::kInRegister;
  return {on_stack ? u64_at(base + static_cast<uint64_t>(path.return_at())) : value_of(path.link()),
          sender_above(base + static_cast<uint64_t>(path.sp_up()), sp), registers.fp(), sp};
}

}  // namespace

InterpreterCaller InterpreterEntry::entering(uint64_t, const Registers& registers) const {
  const uint64_t sender = sender_above(registers[Registers::kSenderSp], registers.sp());
  return {registers[Registers::kReturnPc], sender, registers.fp()};
}

// ... mov sp, x19; perhaps mov x23, x30, a call, and br x23; or back by x30; or on to a stub that returns. A jump through a
// register that no call keeps leads on to another method.
InterpreterCaller InterpreterEntry::frameless(uint64_t pc, uint64_t sp, bool, const Registers& registers) const {
  CodePath path(pc, begin, end);
  path.follow_past(CodePath::kCall, CodePath::kJumpBack);
  InterpreterCaller caller = caller_by_path(path, sp, registers);
  const Registers::Name through = Registers::by_number(path.through());
  const bool is_kept = std::find(Registers::kKept.begin(), Registers::kKept.end(), through) != Registers::kKept.end();
  const bool goes_back = is_kept || through == Registers::kReturnPc;
  if (path.through() != Instruction::kNothing && goes_back) caller.pc = registers[through];
  return caller;
}

InterpreterCaller InterpreterExit::leaving(uint64_t pc, uint64_t sp, const Registers& registers) const {
  CodePath path(pc, after_leave, end);
  path.follow_past(CodePath::kCall);
  return caller_by_path(path, sp, registers);
}

void InterpreterMap::add_entry(uint64_t begin, uint64_t end) {
  if (!has_room_for_entry()) return;
  InterpreterEntry entry{begin, end, 0, 0};
  const uint64_t push = find(begin, end, kSaveLink);
  if (push != 0) {
    bool has_method = false;
    for (uint64_t at = begin; at < push; at += kStep) has_method |= stores_method(u32_at(at));
    const uint64_t stored = find(push, end, kStoreSender);
    if (!has_method || u32_at(push + kStep) != kSetFp || stored == 0) return;  // better no entry than a wrong one
    entry.push = push;
    entry.sender_stored = stored + kStep;
  }
  add(entry);
}

void InterpreterMap::add_exits(uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end && has_room_for_exit(); at += kStep) {
    InterpreterExit exit;
    if (read_exit(at, end, exit)) add(exit);
  }
}

}  // namespace rec::agent::aarch64
