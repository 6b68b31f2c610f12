// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/aarch64/enter_special.h"

#include "agent/hotspot/aarch64/instruction.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::aarch64 {
namespace {

constexpr uint64_t kMaxFill = 16 * kStep, kMaxThaw = 8 * kStep;

constexpr uint32_t kOffset = 0x003ffc00;  // of loads and stores: bits 10 to 21
uint32_t offset_of(uint32_t word, uint32_t size) { return (word >> 10 & 0xfff) * size; }
bool is_form(uint32_t word, uint32_t form) { return (word & ~kOffset) == form; }

constexpr uint32_t kLoadEntry = 0xf9400388;   // ldr x8, [x28, #n]
constexpr uint32_t kStoreEntry = 0xf9000388;  // str x8, [x28, #n]
constexpr uint32_t kCopySp = 0x910003e8;      // mov x8, sp
constexpr uint32_t kStoreParent = 0xf90003e8, kStoreContinuation = 0xf90003e1, kStoreFlags = 0xb90003e3;

bool read_fill(uint64_t at, uint64_t end, EnterSpecial& read) {
  bool continuation = false;
  for (uint64_t next = at; next < end && next < at + kMaxFill; next += kStep) {
    const uint32_t word = u32_at(next);
    if (is_form(word, kStoreContinuation)) {
      read.continuation = offset_of(word, 8);
      continuation = true;
    }
    if (!is_form(word, kStoreFlags)) continue;
    read.is_virtual = offset_of(word, 4);
    return continuation;
  }
  return false;
}

bool read_entry(uint64_t at, uint64_t end, EnterSpecial& read) {
  const uint32_t load = u32_at(at), store = u32_at(at + 3 * kStep);
  if (!is_form(load, kLoadEntry) || !is_form(u32_at(at + kStep), kStoreParent) || u32_at(at + 2 * kStep) != kCopySp ||
      !is_form(store, kStoreEntry) || offset_of(store, 8) != offset_of(load, 8))
    return false;
  read.thread_entry = offset_of(load, 8);
  return read_fill(at + 4 * kStep, end, read);
}

bool read_thaw(uint64_t at, uint64_t begin, uint64_t end, EnterSpecial& read) {
  constexpr uint32_t kIfGoesOn = 0xb5000002, kDistance = 0x00ffffe0;  // cbnz x2
  const uint32_t word = u32_at(at);
  const uint64_t target = (word & ~kDistance) == kIfGoesOn ? decode(word, at).target : 0;
  if (target < begin || target >= end) return false;
  for (uint64_t next = target; next < end && next < target + kMaxThaw; next += kStep) {
    const Instruction call = instruction_at(next);
    if (call.kind != Instruction::kCall) continue;
    read.return_pc = next + kStep;
    read.thaw = call.target;
    return true;
  }
  return false;
}

}  // namespace

bool read_enter_special(uint64_t begin, uint64_t end, EnterSpecial& read) {
  uint64_t at = begin;
  while (at + kMaxFill < end && !read_entry(at, end, read)) at += kStep;
  if (at + kMaxFill >= end) return false;
  for (; at < end; at += kStep)
    if (read_thaw(at, begin, end, read)) return true;
  return false;
}

}  // namespace rec::agent::aarch64
