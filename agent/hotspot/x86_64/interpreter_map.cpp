// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/interpreter_map.h"

#include <algorithm>
#include <cstring>

#include "agent/hotspot/x86_64/instruction.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
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
constexpr uint8_t kLeave = 0xc9;
constexpr uint8_t kTakeSenderSp[] = {0x49, 0x8b, 0xe5}, kTakeSenderSpToo[] = {0x4c, 0x89, 0xec};  // mov rsp, r13
constexpr uint8_t kStoreToThread[] = {0x41, 0xc6, 0x87};  // mov byte [r15 + x], n

// Registers in the order of their encoding in instructions.
constexpr Registers::Name kEncoded[16] = {Registers::kRax, Registers::kRcx, Registers::kRdx, Registers::kRbx,
                                          Registers::kRsp, Registers::kRbp, Registers::kRsi, Registers::kRdi,
                                          Registers::kR8,  Registers::kR9,  Registers::kR10, Registers::kR11,
                                          Registers::kR12, Registers::kR13, Registers::kR14, Registers::kR15};

// An instruction about one register: opcode bytes with the register added to the last one, and a prefix for r8 to r15.
int register_of(uint64_t at, uint8_t prefix_low, uint8_t prefix_high, uint8_t opcode, uint8_t last, int& length) {
  int i = 0;
  bool high = false;
  if (prefix_low != 0 || u8_at(at) == prefix_high) {
    high = u8_at(at) == prefix_high;
    if (!high && u8_at(at) != prefix_low) return -1;
    i = 1;
  }
  if (opcode != 0 && u8_at(at + static_cast<uint64_t>(i++)) != opcode) return -1;
  const uint8_t byte = u8_at(at + static_cast<uint64_t>(i++));
  if ((byte & 0xf8) != last) return -1;
  length = i;
  return (byte & 7) + (high ? 8 : 0);
}

int popped_register(uint64_t at, int& length) { return register_of(at, 0, 0x41, 0, 0x58, length); }
int moved_to_sp(uint64_t at, int& length) { return register_of(at, 0x48, 0x49, 0x8b, 0xe0, length); }
int jumped_to(uint64_t at, int& length) { return register_of(at, 0, 0x41, 0xff, 0xe0, length); }

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
  int length = 0;
  const int popped = popped_register(at, length);
  if (popped < 0) return false;
  exit.after_pop = at + static_cast<uint64_t>(length);
  const int sender = moved_to_sp(exit.after_pop, length);
  if (sender < 0) return false;
  exit.after_move = exit.after_pop + static_cast<uint64_t>(length);
  exit.return_register = kEncoded[popped];
  exit.sender_register = kEncoded[sender];
  for (at = exit.after_move; at < end && at < exit.after_move + kMaxExitTail; ++at) {
    if (jumped_to(at, length) != popped) continue;
    exit.end = at + static_cast<uint64_t>(length);
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
    if (is(pc, kTakeSenderSp) || is(pc, kTakeSenderSpToo)) return static_cast<uint64_t>(up - 8);
    const Instruction instruction = instruction_at(pc);
    if (instruction.length == 0) break;
    up += instruction.sp_up;
    pc += instruction.length;
  }
  return 0;
}

void InterpreterMap::add_entry(uint64_t begin, uint64_t end) {
  if (entry_count_ == kMaxEntries) return;
  InterpreterEntry entry{begin, end, 0, 0};
  const uint64_t push = find(begin, end, kBuildFrame);
  if (push != 0) {
    entry.pop = find(begin, push, kPopReturn);
    entry.push = push;
    if (entry.pop == 0) return;  // not as we know it: better no entry than a wrong one
  }
  entries_[entry_count_++] = entry;
}

void InterpreterMap::add_exits(uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end && exit_count_ < kMaxExits; ++at) {
    InterpreterExit exit;
    if (read_exit(at, end, exit)) exits_[exit_count_++] = exit;
  }
}

bool InterpreterMap::builds_frames() const {
  for (size_t i = 0; i < entry_count_; ++i)
    if (entries_[i].builds_frame()) return true;
  return false;
}

const InterpreterEntry* InterpreterMap::entry_at(uint64_t pc) const {
  for (size_t i = 0; i < entry_count_; ++i)
    if (pc >= entries_[i].begin && pc < entries_[i].end) return &entries_[i];
  return nullptr;
}

const InterpreterExit* InterpreterMap::exit_at(uint64_t pc) const {
  for (size_t i = 0; i < exit_count_; ++i)
    if (pc >= exits_[i].after_leave && pc < exits_[i].end) return &exits_[i];
  return nullptr;
}

}  // namespace rec::agent
