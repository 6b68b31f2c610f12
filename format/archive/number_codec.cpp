// SPDX-License-Identifier: Apache-2.0
#include "format/archive/number_codec.h"

#include <zstd.h>

#include <algorithm>
#include <bit>

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

bool decode_planes(std::span<const uint8_t> bytes, uint64_t count, std::vector<uint64_t>& out) {
  if (bytes.empty() || bytes[0] > 8 || bytes.size() - 1 != bytes[0] * count) return false;
  out.assign(count, 0);
  const uint8_t* from = bytes.data() + 1;
  for (size_t plane = 0; plane < bytes[0]; ++plane)
    for (uint64_t& number : out) number |= uint64_t{*from++} << (8 * plane);
  return true;
}

size_t compressed_size(const std::vector<uint8_t>& bytes, std::vector<uint8_t>& room) {
  room.resize(ZSTD_compressBound(bytes.size()));
  return ZSTD_compress(room.data(), room.size(), bytes.data(), bytes.size(), 1);
}

}  // namespace

void append_leb(uint64_t value, std::vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

bool take_leb(std::span<const uint8_t> bytes, size_t& at, uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const uint8_t byte = bytes[at++];
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
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
  if (coding == NumberCoding::kConstant) return append_leb(numbers[0], out);
  const std::vector<uint64_t> changes = is_delta(coding) ? differences(numbers) : std::vector<uint64_t>();
  const std::span<const uint64_t> values = is_delta(coding) ? std::span<const uint64_t>(changes) : numbers;
  if (coding == NumberCoding::kPlanes || coding == NumberCoding::kDeltaPlanes) return encode_planes(values, out);
  for (const uint64_t value : values) append_leb(value, out);
}

bool decode_numbers(std::span<const uint8_t> bytes, NumberCoding coding, uint64_t count, std::vector<uint64_t>& out) {
  size_t at = 0;
  uint64_t value = 0;
  if (coding == NumberCoding::kConstant) {
    if (!take_leb(bytes, at, value) || at != bytes.size()) return false;
    out.assign(count, value);
    return true;
  }
  if (coding == NumberCoding::kPlanes || coding == NumberCoding::kDeltaPlanes) {
    if (!decode_planes(bytes, count, out)) return false;
  } else {
    out.clear();
    out.reserve(std::min<uint64_t>(count, bytes.size()));
    for (uint64_t i = 0; i < count; ++i) {
      if (!take_leb(bytes, at, value)) return false;
      out.push_back(value);
    }
    if (at != bytes.size()) return false;
  }
  uint64_t before = 0;
  if (is_delta(coding))
    for (uint64_t& number : out) number = before += unzigzag(number);
  return true;
}

}  // namespace jfr::archive
