// SPDX-License-Identifier: Apache-2.0
// How the numbers of one stream become bytes, before zstd.
//
//   kConstant      all the same: one LEB128
//   kLebs          LEB128 each
//   kDeltaLebs     zigzag of the difference to the one before, LEB128 each
//   kPlanes        a byte says how many bytes the largest takes; then all lowest bytes, all second bytes, ...
//   kDeltaPlanes   the same of the zigzag differences
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace jfr::archive {

enum class NumberCoding : uint8_t { kConstant, kLebs, kDeltaLebs, kPlanes, kDeltaPlanes, kCount };

constexpr uint64_t zigzag(uint64_t difference) {
  return difference << 1 ^ static_cast<uint64_t>(static_cast<int64_t>(difference) >> 63);
}
constexpr uint64_t unzigzag(uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

void append_leb(uint64_t value, std::vector<uint8_t>& out);
// From bytes[at]; moves at. False: it does not end there.
bool take_leb(std::span<const uint8_t> bytes, size_t& at, uint64_t& value);

// What makes these numbers smallest once zstd has seen them; judged by some of them when they are many.
NumberCoding best_coding(std::span<const uint64_t> numbers);

void encode_numbers(std::span<const uint64_t> numbers, NumberCoding coding, std::vector<uint8_t>& out);
// False: these bytes are not `count` numbers in that coding.
bool decode_numbers(std::span<const uint8_t> bytes, NumberCoding coding, uint64_t count, std::vector<uint64_t>& out);

}  // namespace jfr::archive
