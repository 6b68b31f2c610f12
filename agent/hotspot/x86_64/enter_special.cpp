// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/enter_special.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::x86_64 {
namespace {

constexpr uint64_t kEntryBytes = 28;  // from the first load of thread_entry to the store of is_virtual
constexpr uint64_t kTest = 3, kNearJump = 6, kShortJump = 2, kCall = 5;

bool has_bytes(uint64_t at, uint32_t count, uint64_t bytes) {
  for (uint32_t i = 0; i < count; ++i)
    if (u8_at(at + i) != (bytes >> (8 * (count - 1 - i)) & 0xff)) return false;
  return true;
}

bool read_entry(uint64_t at, EnterSpecial& read) {
  if (!has_bytes(at, 3, 0x498b87) || !has_bytes(at + 7, 4, 0x48894424) || !has_bytes(at + 12, 3, 0x4989a7) ||
      !has_bytes(at + 19, 4, 0x48897424) || !has_bytes(at + 24, 3, 0x894c24))
    return false;
  read.thread_entry = u32_at(at + 3);
  read.continuation = u8_at(at + 23);
  read.is_virtual = u8_at(at + 27);
  return u32_at(at + 15) == read.thread_entry;
}

// Where the jump at `at` leads when it is taken; 0: it is no jne.
uint64_t jump_target(uint64_t at) {
  if (has_bytes(at, 2, 0x0f85)) return at + kNearJump + static_cast<uint64_t>(static_cast<int32_t>(u32_at(at + 2)));
  if (has_bytes(at, 1, 0x75)) return at + kShortJump + static_cast<uint64_t>(static_cast<int8_t>(u8_at(at + 1)));
  return 0;
}

bool read_thaw(uint64_t at, uint64_t begin, uint64_t end, EnterSpecial& read) {
  const uint64_t target = has_bytes(at, 3, 0x4885d2) ? jump_target(at + kTest) : 0;
  if (target < begin || target >= end || !has_bytes(target, 1, 0xe8)) return false;
  read.return_pc = target + kCall;
  read.thaw = read.return_pc + static_cast<uint64_t>(static_cast<int32_t>(u32_at(target + 1)));
  return true;
}

}  // namespace

bool read_enter_special(uint64_t begin, uint64_t end, EnterSpecial& read) {
  uint64_t at = begin;
  while (at + kEntryBytes < end && !read_entry(at, read)) ++at;
  if (at + kEntryBytes >= end) return false;
  while (at + kTest + kNearJump < end)
    if (read_thaw(at++, begin, end, read)) return true;
  return false;
}

}  // namespace rec::agent::x86_64
