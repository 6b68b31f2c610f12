// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/interpreter_map.h"

#include <algorithm>
#include <cstring>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/x86_64/instruction.h"

namespace rec::agent::x86_64 {
namespace {

constexpr uint64_t kMaxExitTail = 96;    // bytes from the pop to the jump
constexpr uint64_t kMaxThrowTail = 192;  // from the push to the pop
constexpr int kMaxTail = 128;            // instructions of an entry without a frame

template <size_t N>
bool is(uint64_t at, const uint8_t (&pattern)[N]) {
  uint8_t bytes[N];
  return safe_copy(bytes, reinterpret_cast<const void*>(at), N) && std::memcmp(bytes, pattern, N) == 0;
}

template <size_t N>
uint64_t find(uint64_t from, uint64_t end, const uint8_t (&pattern)[N]) {
  for (uint64_t at = from; at + N <= end; ++at)
    if (is(at, pattern)) return at;
  return 0;
}

constexpr uint8_t kPopReturn[] = {0x58, 0x4c, 0x8d, 0x74, 0xcc, 0xf8};         // pop rax; lea r14,[rsp+rcx*8-8]
constexpr uint8_t kBuildFrame[] = {0x50, 0x55, 0x48, 0x8b, 0xec, 0x41, 0x55};  // push rax, rbp; mov rbp,rsp; push r13
constexpr uint8_t kTakeSenderSp[] = {0x49, 0x8b, 0xe5};                        // mov rsp, r13
constexpr uint8_t kLeave = 0xc9;
constexpr uint8_t kStoreToThread[] = {0x41, 0xc6, 0x87};  // mov byte [r15 + x], n

constexpr uint8_t kPushThrow[] = {0x50, 0x52};             // push rax; push rdx
constexpr uint8_t kPopThrow[] = {0x5a, 0x58, 0xff, 0xe3};  // pop rdx; pop rax; jmp rbx

bool read_throw(uint64_t end, InterpreterExit& exit) {
  exit.push = find(exit.after_move, std::min(end, exit.after_move + kMaxExitTail), kPushThrow);
  if (exit.push == 0) return false;
  exit.pop = find(exit.push, std::min(end, exit.push + kMaxThrowTail), kPopThrow);
  exit.end = exit.pop + sizeof kPopThrow;
  return exit.pop != 0;
}

// leave; (a store to the thread, from 21 on;) pop a; mov rsp, b; ... jmp a
bool read_exit(uint64_t leave, uint64_t end, InterpreterExit& exit) {
  if (u8_at(leave) != kLeave) return false;
  exit.after_leave = leave + 1;
  uint64_t at = leave + 1;
  if (is(at, kStoreToThread)) at += 8;
  const Instruction pop = instruction_at(at);
  if (pop.popped == Instruction::kNothing) return false;
  exit.after_pop = at + pop.length;
  const Instruction move = instruction_at(exit.after_pop);
  if (move.sp_from == Instruction::kNothing) return false;
  exit.after_move = exit.after_pop + move.length;
  exit.return_register = Registers::by_number(pop.popped);
  exit.sender_register = Registers::by_number(move.sp_from);
  for (at = exit.after_move; at < end && at < exit.after_move + kMaxExitTail; ++at) {
    const Instruction jump = instruction_at(at);
    if (jump.through != pop.popped) continue;
    exit.end = at + jump.length;
    return true;
  }
  return exit.return_register == Registers::kRdx && read_throw(end, exit);
}

}  // namespace

// Bytes from sp to the pushed return address, by what is done to sp until it is popped.
uint64_t InterpreterExit::return_above(uint64_t pc) const {
  int64_t up = 0;
  for (int i = 0; i < kMaxTail && pc < pop; ++i) {
    const Instruction instruction = instruction_at(pc);
    if (instruction.length == 0) break;
    up += instruction.sp_up;
    pc = instruction.kind == Instruction::kJump ? instruction.target : pc + instruction.length;
  }
  return static_cast<uint64_t>(up);
}

// ... pop the return address; mov rsp, r13; jump to it. Once popped it still lies below sp, where signals write nothing.
uint64_t InterpreterEntry::return_above(uint64_t pc) const {
  int64_t up = 0;
  for (int i = 0; i < kMaxTail && pc < end; ++i) {
    const Instruction instruction = instruction_at(pc);
    if (instruction.sp_from == Instruction::kR13) return static_cast<uint64_t>(up - 8);
    if (instruction.length == 0) break;
    up += instruction.sp_up;
    pc += instruction.length;
  }
  return 0;
}

uint8_t InterpreterEntry::jumps_back_through(uint64_t pc) const {
  return is(pc - sizeof kTakeSenderSp, kTakeSenderSp) ? instruction_at(pc).through : Instruction::kNothing;
}

InterpreterCaller InterpreterEntry::entering(uint64_t pc, const Registers& registers) const {
  const uint64_t sp = registers.sp(), sender = registers[Registers::kSenderSp];
  if (return_in_register(pc)) return {registers[Registers::kReturnPc], sender, registers.fp()};
  if (fp_just_pushed(pc)) return {u64_at(sp + 8), sender, u64_at(sp)};
  return {u64_at(sp), sender, registers.fp()};
}

InterpreterCaller InterpreterEntry::frameless(uint64_t pc, uint64_t sp, bool exact, const Registers& registers) const {
  const uint8_t back = exact ? jumps_back_through(pc) : Instruction::kNothing;
  if (back != Instruction::kNothing) return {registers[Registers::by_number(back)], sp, registers.fp(), sp};
  const uint64_t at = sp + return_above(pc);
  return {u64_at(at), registers[Registers::kSenderSp], registers.fp(), at + 8};
}

InterpreterCaller InterpreterExit::leaving(uint64_t pc, uint64_t sp, const Registers& registers) const {
  const uint64_t fp = registers.fp();
  if (pc < after_pop) return {u64_at(sp), registers[sender_register], fp};
  if (is_pushed(pc)) {
    const uint64_t at = sp + return_above(pc);
    return {u64_at(at), at + 16, fp};
  }
  const uint64_t caller = pc < after_move ? registers[sender_register] : sp + exception_above(pc);
  return {registers[return_register], caller, fp};
}

void InterpreterMap::add_entry(uint64_t begin, uint64_t end) {
  if (!has_room_for_entry()) return;
  InterpreterEntry entry{begin, end, 0, 0};
  const uint64_t push = find(begin, end, kBuildFrame);
  if (push != 0) {
    entry.pop = find(begin, push, kPopReturn);
    entry.push = push;
    if (entry.pop == 0) return;  // not as we know it: better no entry than a wrong one
  }
  add(entry);
}

void InterpreterMap::add_exits(uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end && has_room_for_exit(); ++at) {
    InterpreterExit exit;
    if (read_exit(at, end, exit)) add(exit);
  }
}

}  // namespace rec::agent::x86_64
