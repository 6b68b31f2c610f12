// SPDX-License-Identifier: Apache-2.0
#include "base/crc32c.h"

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
__attribute__((target("sse4.2"))) uint32_t add_by_instruction(uint64_t sum, std::span<const uint8_t> bytes) {
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= sizeof(uint64_t); left -= sizeof(uint64_t), at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    sum = __builtin_ia32_crc32di(sum, word);
  }
  for (; left > 0; --left) sum = __builtin_ia32_crc32qi(static_cast<uint32_t>(sum), *at++);
  return static_cast<uint32_t>(sum);
}
#endif

}  // namespace

void Crc32c::add(std::span<const uint8_t> bytes) {
#if defined(__x86_64__)
  // Not kept in a static: a handler may be the first to come here, and that would lock.
  if (__builtin_cpu_supports("sse4.2")) state_ = add_by_instruction(state_, bytes), bytes = {};
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
