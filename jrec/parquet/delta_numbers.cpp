// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/delta_numbers.h"

#include <algorithm>
#include <array>
#include <bit>

#include "jrec/parquet/varint.h"

namespace jrec {
namespace {

constexpr size_t kBlock = 128, kGroups = 4, kGroupSize = kBlock / kGroups;

void append_bits(std::span<const uint64_t> values, int bits, std::vector<uint8_t>& out) {
  uint64_t held = 0;
  int held_bits = 0;
  const auto put = [&](uint64_t value, int count) {
    for (; count > 0; count -= 8, value >>= 8) out.push_back(static_cast<uint8_t>(value));
  };
  for (const uint64_t value : values) {
    held |= value << held_bits;
    if (held_bits + bits < 64) {
      held_bits += bits;
      continue;
    }
    put(held, 64);
    const int taken = 64 - held_bits;
    held = taken == 64 ? 0 : value >> taken;
    held_bits = bits - taken;
  }
  put(held, held_bits);
}

// Fewer steps than a block has are followed by zeros up to the end of their group.
void append_block(std::span<uint64_t> steps, std::vector<uint8_t>& out) {
  const auto as_signed = [](uint64_t step) { return static_cast<int64_t>(step); };
  const auto least = std::ranges::min(steps, {}, as_signed);
  append_zigzag(as_signed(least), out);
  for (uint64_t& step : steps) step -= least;
  std::array<uint64_t, kBlock> filled{};
  std::ranges::copy(steps, filled.begin());
  std::array<int, kGroups> bits{};
  for (size_t group = 0; group < kGroups; ++group) {
    const std::span<const uint64_t> of(filled.data() + group * kGroupSize, kGroupSize);
    bits[group] = std::bit_width(std::ranges::max(of));
    out.push_back(static_cast<uint8_t>(bits[group]));
  }
  for (size_t group = 0; group * kGroupSize < steps.size(); ++group)
    if (bits[group] > 0) append_bits({filled.data() + group * kGroupSize, kGroupSize}, bits[group], out);
}

}  // namespace

void append_deltas(std::span<const int64_t> values, std::vector<uint8_t>& out) {
  append_varint(kBlock, out);
  append_varint(kGroups, out);
  append_varint(values.size(), out);
  append_zigzag(values.empty() ? 0 : values[0], out);
  std::vector<uint64_t> steps;
  for (size_t i = 1; i < values.size(); ++i) {
    steps.push_back(static_cast<uint64_t>(values[i]) -
                    static_cast<uint64_t>(values[i - 1]));  // may wrap, as the format has it
    if (steps.size() < kBlock && i + 1 < values.size()) continue;
    append_block(steps, out);
    steps.clear();
  }
}

}  // namespace jrec
