// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/interpreter_map.h"

#include <cstring>

#include "agent/hotspot/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint32_t kCodeletHeader = 16;   // sizeof(InterpreterCodelet), before alignment of the code
constexpr uint64_t kMaxExitTail = 96;     // bytes from the pop to the jump

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

constexpr uint8_t kPopReturn[] = {0x58, 0x4c, 0x8d, 0x74, 0xcc, 0xf8};              // pop rax; lea r14,[rsp+rcx*8-8]
constexpr uint8_t kBuildFrame[] = {0x50, 0x55, 0x48, 0x8b, 0xec, 0x41, 0x55};      // push rax, rbp; mov rbp,rsp; push r13
constexpr uint8_t kPopR13MoveSp[] = {0x41, 0x5d, 0x48, 0x8b, 0xe3};                // pop r13; mov rsp,rbx
constexpr uint8_t kPopRdxMoveSp[] = {0x5a, 0x48, 0x8b, 0xe3};                      // pop rdx; mov rsp,rbx
constexpr uint8_t kJumpR13[] = {0x41, 0xff, 0xe5};
constexpr uint8_t kJumpRdx[] = {0xff, 0xe2};
constexpr uint8_t kLeave = 0xc9;

bool is_method_entry(uint64_t description) {
  constexpr char kPrefix[] = "method entry point";
  char text[sizeof kPrefix - 1];
  return safe_copy(text, reinterpret_cast<const void*>(description), sizeof text) && std::memcmp(text, kPrefix, sizeof text) == 0;
}

// The frame's last instruction that still has it, "leave", stands right before the pop, or one store before it (from 21 on).
uint64_t leave_before(uint64_t pop) {
  if (byte_at(pop - 1) == kLeave) return pop - 1;
  return byte_at(pop - 9) == kLeave ? pop - 9 : 0;
}

}  // namespace

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
    const bool by_r13 = is(at, kPopR13MoveSp);
    if (!by_r13 && !is(at, kPopRdxMoveSp)) continue;
    const uint64_t leave = leave_before(at);
    if (leave == 0) continue;
    const uint64_t after_pop = at + (by_r13 ? 2 : 1);
    const uint64_t tail = at + kMaxExitTail < end ? at + kMaxExitTail : end;
    const uint64_t jump = by_r13 ? find(after_pop, tail, kJumpR13) : find(after_pop, tail, kJumpRdx);
    if (jump == 0) continue;
    exits_[exit_count_++] = {leave + 1, after_pop, after_pop + 3, jump + 3, by_r13 ? Registers::kR13 : Registers::kRdx};
  }
}

bool InterpreterMap::open(const Layout& layout) {
  bool builds_frames = false;
  uint64_t codelet = layout.interpreter_begin;
  while (codelet + kCodeletHeader < layout.interpreter_end) {
    const uint32_t size = half_at(codelet + layout.codelet_size);
    if (size < kCodeletHeader || codelet + size > layout.interpreter_end) break;
    if (is_method_entry(word_at(codelet + layout.codelet_description))) add_entry(codelet + kCodeletHeader, codelet + size);
    codelet += size;
  }
  add_exits(layout.interpreter_begin, layout.interpreter_end);
  for (size_t i = 0; i < entry_count_; ++i) builds_frames |= entries_[i].push != 0;
  return builds_frames;
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
