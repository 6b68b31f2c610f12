// SPDX-License-Identifier: Apache-2.0
#include "base/crc32c.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>
#include <cstddef>
#include <cstring>

namespace base {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;  // Castagnoli's, its low bit first
constexpr size_t kStep = 8;                   // bytes

// tables[k][b]: what byte b does to the sum when k more bytes follow it.
using Tables = std::array<std::array<uint32_t, 256>, kStep>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? kPolynomial : 0);
    tables[0][byte] = sum;
  }
  for (size_t k = 1; k < kStep; ++k)
    for (size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__x86_64__)
// The instruction answers after three cycles and can be given a new word in each: three lanes of one text at a time. The
// sums of the first two are moved over the zeros of a lane, and the next one's is added: all of it is linear.
constexpr size_t kLanes = 3, kLaneBytes = 1024, kLaneDoublings = 10;
static_assert(kLaneBytes == size_t{1} << kLaneDoublings);

// move[k][b]: what byte k of a sum, with the value b, is when kLaneBytes zeros follow it.
using LaneTables = std::array<std::array<uint32_t, 256>, sizeof(uint32_t)>;

constexpr uint32_t moved(const LaneTables& move, uint32_t sum) {
  return move[0][sum & 0xff] ^ move[1][sum >> 8 & 0xff] ^ move[2][sum >> 16 & 0xff] ^ move[3][sum >> 24];
}

constexpr LaneTables twice(const LaneTables& move) {
  LaneTables both{};
  for (size_t k = 0; k < both.size(); ++k)
    for (size_t byte = 0; byte < 256; ++byte) both[k][byte] = moved(move, move[k][byte]);
  return both;
}

constexpr LaneTables make_lane_tables() {
  LaneTables move{};  // over one zero
  for (uint32_t byte = 0; byte < 256; ++byte) {
    move[0][byte] = kTables[0][byte];
    for (uint32_t k = 1; k < move.size(); ++k) move[k][byte] = byte << 8 * (k - 1);
  }
  for (size_t i = 0; i < kLaneDoublings; ++i) move = twice(move);
  return move;
}

constexpr LaneTables kLaneTables = make_lane_tables();

uint64_t word_at(const uint8_t* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

__attribute__((target("sse4.2,crc32"))) uint32_t add_lanes(uint64_t first, const uint8_t* at) {
  uint64_t second = 0, third = 0;
  for (const uint8_t* const end = at + kLaneBytes; at < end; at += sizeof(uint64_t)) {
    first = __builtin_ia32_crc32di(first, word_at(at));
    second = __builtin_ia32_crc32di(second, word_at(at + kLaneBytes));
    third = __builtin_ia32_crc32di(third, word_at(at + 2 * kLaneBytes));
  }
  const uint32_t both = moved(kLaneTables, static_cast<uint32_t>(first)) ^ static_cast<uint32_t>(second);
  return moved(kLaneTables, both) ^ static_cast<uint32_t>(third);
}

bool ask_processor() {
  unsigned a, b, c = 0, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_2) != 0;
}

// Asked for when the library is loaded: a handler may be the first to come here, and a static of a function would lock.
const bool has_instruction = ask_processor();

__attribute__((target("sse4.2,crc32"))) uint32_t add_by_instruction(uint64_t sum, std::span<const uint8_t> bytes) {
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  for (constexpr size_t kAll = kLanes * kLaneBytes; left >= kAll; left -= kAll, at += kAll) sum = add_lanes(sum, at);
  for (; left >= sizeof(uint64_t); left -= sizeof(uint64_t), at += sizeof(uint64_t))
    sum = __builtin_ia32_crc32di(sum, word_at(at));
  for (; left > 0; --left) sum = __builtin_ia32_crc32qi(static_cast<uint32_t>(sum), *at++);
  return static_cast<uint32_t>(sum);
}
#endif

}  // namespace

void Crc32c::add(std::span<const uint8_t> bytes) {
#if defined(__x86_64__)
  if (has_instruction) state_ = add_by_instruction(state_, bytes), bytes = {};
#endif
  add_by_tables(bytes);
}

void Crc32c::add_by_tables(std::span<const uint8_t> bytes) {
  uint32_t sum = state_;
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= kStep; left -= kStep, at += kStep) {
    sum ^= uint32_t{at[0]} | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
    sum = kTables[7][sum & 0xff] ^ kTables[6][sum >> 8 & 0xff] ^ kTables[5][sum >> 16 & 0xff] ^ kTables[4][sum >> 24] ^
          kTables[3][at[4]] ^ kTables[2][at[5]] ^ kTables[1][at[6]] ^ kTables[0][at[7]];
  }
  for (; left > 0; --left) sum = sum >> 8 ^ kTables[0][(sum ^ *at++) & 0xff];
  state_ = sum;
}

}  // namespace base
