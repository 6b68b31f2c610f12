// SPDX-License-Identifier: Apache-2.0
// The high bits of 64 bytes as one word, bit i that of byte i: what the Cursor counts the ends of integers by. The only
// place in format/ that knows a processor; any other takes the portable version.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace jfr::read {

static_assert(std::endian::native == std::endian::little, "the first byte in memory is the lowest of a word");

inline uint64_t high_bits_of_8(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, 8);
  // The product has the low bit of byte j at 56 + j; no two terms meet.
  return (word >> 7 & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

inline uint64_t portable_high_bits_of_64(const uint8_t* bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits |= high_bits_of_8(bytes + 8 * i) << (8 * i);
  return bits;
}

// Reads bytes[0, 64), aligned or not.
#if defined(__SSE2__)
inline uint64_t high_bits_of_64(const uint8_t* bytes) {
  const auto of_16 = [bytes](int i) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    return uint64_t{static_cast<uint16_t>(_mm_movemask_epi8(part))};
  };
  return of_16(0) | of_16(1) << 16 | of_16(2) << 32 | of_16(3) << 48;  // written out: compilers keep a loop
}
#elif defined(__aarch64__)
inline uint64_t high_bits_of_64(const uint8_t* bytes) {
  const uint8x16_t place = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};  // in the byte of the result
  const auto placed = [&](int i) { return vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(vld1q_u8(bytes + 16 * i))), place); };
  const uint8x16_t by_four = vpaddq_u8(vpaddq_u8(placed(0), placed(1)), vpaddq_u8(placed(2), placed(3)));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(by_four, by_four)), 0);
}
#else
inline uint64_t high_bits_of_64(const uint8_t* bytes) { return portable_high_bits_of_64(bytes); }
#endif

// Is there a byte of 0 right behind one with its high bit set?
inline bool has_zero_behind_high(const uint8_t* from, const uint8_t* end) {
  constexpr uint64_t kLow = 0x0101010101010101, kHigh = 0x8080808080808080;
  for (; end - from > 8; from += 8) {
    uint64_t word, next;
    std::memcpy(&word, from, 8);
    std::memcpy(&next, from + 1, 8);
    // What is taken for a zero, and is none, is a 1 behind a zero.
    if ((word & (next - kLow) & ~next & kHigh) != 0) return true;
  }
  for (; end - from > 1; ++from)
    if (from[0] >= 0x80 && from[1] == 0) return true;
  return false;
}

}  // namespace jfr::read
