// SPDX-License-Identifier: Apache-2.0
#include "format/archive/byte_sketch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace jfr::archive {
namespace {

constexpr int kFewPlacesLog = 8, kMostPlacesLog = 14;  // of the table of where four bytes were seen last
constexpr size_t kRepeat = 4;                          // bytes of the shortest repeat
constexpr double kRepeatBits = 8;                      // of a repeat, besides how far back it lies
constexpr double kUnseenBits = 0.72;  // what a sample knows too little of each byte that it has (Miller and Madow)

double log2_of(size_t count) {
  static constexpr size_t kKnown = 4'096;
  static const auto logs = [] {
    std::array<float, kKnown> made{};
    for (size_t i = 1; i < kKnown; ++i) made[i] = std::log2(static_cast<float>(i));
    return made;
  }();
  return count < kKnown ? logs[count] : std::log2(static_cast<double>(count));
}

// Bits of bytes that come so often each, coded by themselves.
double entropy_bits(const std::array<uint32_t, 256>& counts) {
  size_t all = 0;
  double bits = 0;
  for (const uint32_t count : counts) {
    if (count == 0) continue;
    all += count;
    bits += kUnseenBits - count * log2_of(count);
  }
  return bits + static_cast<double>(all) * log2_of(all);
}

uint32_t four_bytes(const uint8_t* from) {
  uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace

double packed_bits(std::span<const uint8_t> bytes) {
  assert(bytes.size() < 1u << 16 && "a place has sixteen bits");
  const int log = std::clamp(static_cast<int>(std::bit_width(bytes.size())), kFewPlacesLog, kMostPlacesLog);
  std::array<uint16_t, 1u << kMostPlacesLog> places;  // + 1; 0: not seen
  std::fill_n(places.begin(), size_t{1} << log, 0);
  std::array<uint32_t, 256> alone{};  // how often each byte is in no repeat
  double repeats = 0;                 // bits
  size_t at = 0;
  while (at + kRepeat <= bytes.size()) {
    const uint32_t word = four_bytes(&bytes[at]);
    uint16_t& place = places[word * 0x9E3779B1u >> (32 - log)];
    const size_t before = place;
    place = static_cast<uint16_t>(at + 1);
    if (before == 0 || four_bytes(&bytes[before - 1]) != word) {
      ++alone[bytes[at++]];
      continue;
    }
    const size_t back = at - (before - 1);
    at += kRepeat;
    while (at < bytes.size() && bytes[at] == bytes[at - back]) ++at;
    repeats += kRepeatBits + log2_of(back);
  }
  for (; at < bytes.size(); ++at) ++alone[bytes[at]];
  return repeats + entropy_bits(alone);
}

}  // namespace jfr::archive
