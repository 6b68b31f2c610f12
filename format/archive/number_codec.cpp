// SPDX-License-Identifier: Apache-2.0
#include "format/archive/number_codec.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace jfr::archive {
namespace {

constexpr size_t kJudged = 32'768;  // numbers that best_coding() looks at

bool is_delta(NumberCoding coding) {
  return coding == NumberCoding::kDeltaLebs || coding == NumberCoding::kDeltaPlanes;
}

std::vector<uint64_t> differences(std::span<const uint64_t> numbers) {
  std::vector<uint64_t> result(numbers.size());
  uint64_t before = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    result[i] = zigzag(numbers[i] - before);
    before = numbers[i];
  }
  return result;
}

void encode_planes(std::span<const uint64_t> numbers, std::vector<uint8_t>& out) {
  uint64_t all = 0;
  for (const uint64_t number : numbers) all |= number;
  const auto width = static_cast<size_t>(std::bit_width(all) + 7) / 8;
  out.push_back(static_cast<uint8_t>(width));
  size_t at = out.size();
  out.resize(at + width * numbers.size());
  for (size_t plane = 0; plane < width; ++plane)
    for (const uint64_t number : numbers) out[at++] = static_cast<uint8_t>(number >> (8 * plane));
}

size_t compressed_size(const std::vector<uint8_t>& bytes, std::vector<uint8_t>& room) {
  room.resize(ZSTD_compressBound(bytes.size()));
  return ZSTD_compress(room.data(), room.size(), bytes.data(), bytes.size(), 1);
}

}  // namespace

void append_varint(uint64_t value, std::vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

NumberCoding best_coding(std::span<const uint64_t> numbers) {
  if (std::ranges::all_of(numbers, [&](uint64_t each) { return each == numbers[0]; })) return NumberCoding::kConstant;
  if (numbers.size() > kJudged) numbers = numbers.subspan((numbers.size() - kJudged) / 2, kJudged);
  NumberCoding best = NumberCoding::kLebs;
  size_t least = SIZE_MAX;
  std::vector<uint8_t> bytes, room;
  for (const NumberCoding coding :
       {NumberCoding::kLebs, NumberCoding::kDeltaLebs, NumberCoding::kPlanes, NumberCoding::kDeltaPlanes}) {
    bytes.clear();
    encode_numbers(numbers, coding, bytes);
    const size_t size = compressed_size(bytes, room);
    if (size < least) least = size, best = coding;
  }
  return best;
}

void encode_numbers(std::span<const uint64_t> numbers, NumberCoding coding, std::vector<uint8_t>& out) {
  assert(!numbers.empty() && "a stream without numbers is not in the directory");
  if (coding == NumberCoding::kConstant) return append_varint(numbers[0], out);
  const std::vector<uint64_t> changes = is_delta(coding) ? differences(numbers) : std::vector<uint64_t>();
  const std::span<const uint64_t> values = is_delta(coding) ? std::span<const uint64_t>(changes) : numbers;
  if (coding == NumberCoding::kPlanes || coding == NumberCoding::kDeltaPlanes) return encode_planes(values, out);
  for (const uint64_t value : values) append_varint(value, out);
}

bool NumberReader::open(std::span<const uint8_t> bytes, NumberCoding coding, uint64_t count) {
  *this = {};
  bytes_ = bytes;
  count_ = left_ = count;
  delta_ = is_delta(coding);
  coded_ = coding == NumberCoding::kLebs || coding == NumberCoding::kDeltaLebs;
  if (coded_) return count <= bytes.size();
  if (coding == NumberCoding::kConstant) return take_varint(bytes_, at_, constant_) && at_ == bytes.size();
  if (bytes.empty() || bytes[0] > 8 || bytes.size() - 1 != bytes[0] * count) return false;
  width_ = bytes[0];
  at_ = 1;
  return true;
}

}  // namespace jfr::archive
