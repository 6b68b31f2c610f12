// SPDX-License-Identifier: Apache-2.0
// The ones of a word counted, and the n-th of them found, in steps of no branch: popcnt and pdep are not in every x86-64.
//
//   word                    0 1 1 0 0 0 0 1 | 1 0 0 0 0 0 0 0 | ...        bit 0 first
//   ones_up_to_each_byte    3               | 4               | ...        the last byte: of all
//   place_of_one(.., 4)                       8
#pragma once

#include <array>
#include <cstdint>

namespace jfr::read {

// Byte i: how many ones there are in bytes 0 to i.
constexpr uint64_t ones_up_to_each_byte(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return word * 0x0101010101010101;
}

namespace detail {

// [n * 256 + byte]: the place of its n-th one, counted from 0.
constexpr std::array<uint8_t, 8 * 256> places_in_bytes() {
  std::array<uint8_t, 8 * 256> places{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0, n = 0; bit < 8; ++bit)
      if ((byte >> bit & 1) != 0) places[n++ * 256 + byte] = static_cast<uint8_t>(bit);
  return places;
}
inline constexpr std::array<uint8_t, 8 * 256> kPlacesInBytes = places_in_bytes();

}  // namespace detail

// The place of the n-th one, counted from 1, of a word that has so many. below: ones_up_to_each_byte(word).
constexpr unsigned place_of_one(uint64_t word, uint64_t below, uint64_t n) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  const uint64_t reached =
      ((below | kHighBits) - n * 0x0101010101010101) & kHighBits;           // bytes that have n below or in them
  const auto byte = static_cast<unsigned>(__builtin_ctzll(reached)) & ~7u;  // its lowest bit
  const uint64_t before = byte == 0 ? 0 : below >> (byte - 8) & 0xff;
  return byte + detail::kPlacesInBytes[(n - before - 1) * 256 + (word >> byte & 0xff)];
}

}  // namespace jfr::read
