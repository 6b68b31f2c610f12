// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/bit_runs.h"

#include <algorithm>
#include <bit>

#include "jrec/parquet/varint.h"

namespace jrec {
namespace {

constexpr size_t kGroup = 8;

void append_run(uint32_t value, size_t count, int bits, std::vector<uint8_t>& out) {
  append_varint(uint64_t{count} << 1, out);
  for (int shift = 0; shift < bits; shift += 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

void append_packed(std::span<const uint32_t> values, int bits, std::vector<uint8_t>& out) {
  const size_t groups = (values.size() + kGroup - 1) / kGroup;
  append_varint(uint64_t{groups} << 1 | 1, out);
  const size_t end = out.size() + groups * static_cast<size_t>(bits);
  uint64_t held = 0;
  int held_bits = 0;
  for (const uint32_t value : values) {
    held |= uint64_t{value} << held_bits;
    for (held_bits += bits; held_bits >= 8; held_bits -= 8, held >>= 8) out.push_back(static_cast<uint8_t>(held));
  }
  if (held_bits > 0) out.push_back(static_cast<uint8_t>(held));
  out.resize(end);
}

// How many values from there on are the same.
size_t run_at(std::span<const uint32_t> values, size_t at) {
  size_t end = at + 1;
  while (end < values.size() && values[end] == values[at]) ++end;
  return end - at;
}

}  // namespace

int bits_for(uint64_t count) { return count < 2 ? 0 : std::bit_width(count - 1); }

void append_bit_runs(std::span<const uint32_t> values, int bits, std::vector<uint8_t>& out) {
  size_t packed = 0;  // what stands from here up to `at` is no run
  for (size_t at = 0; at < values.size();) {
    size_t run = run_at(values, at);
    // Groups that are packed are whole: they take of the run what they lack.
    const size_t lacking = (kGroup - (at - packed) % kGroup) % kGroup;
    if (run < lacking + kGroup) {
      at += run;
      continue;
    }
    at += lacking;
    run -= lacking;
    if (at > packed) append_packed(values.subspan(packed, at - packed), bits, out);
    append_run(values[at], run, bits, out);
    at += run;
    packed = at;
  }
  if (packed < values.size()) append_packed(values.subspan(packed), bits, out);
}

}  // namespace jrec
