// SPDX-License-Identifier: Apache-2.0
#include "format/archive/number_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "format/archive/byte_sketch.h"
#include "format/archive/modelled_numbers.h"
#include "format/archive/zstd_frame.h"

namespace jfr::archive {
namespace {

using NumberSpan = std::span<const uint64_t>;

constexpr size_t kSketched = 6'000;  // numbers up to which a sketch sees them all; more are tried
constexpr size_t kLeastSketched = 16, kTried = 32'768;
constexpr size_t kLeastModelled = 16, kMostModelled = 32'768;  // many take too long
constexpr size_t kFewModelled = 4'096;  // up to which zstd's tables, of which a sketch knows nothing, weigh something
constexpr double kModelForFew = 0.88;
constexpr size_t kLeastScaled = 8'192;  // few are packed together with others
constexpr double kScaledFor = 1.08;     // what it must save in a trial: where zstd looks harder, others gain more

bool is_delta(NumberCoding coding) {
  return coding == NumberCoding::kDeltaLebs || coding == NumberCoding::kDeltaPlanes ||
         coding == NumberCoding::kDeltaScaled;
}
bool is_scaled(NumberCoding coding) { return coding == NumberCoding::kScaled || coding == NumberCoding::kDeltaScaled; }
bool is_planes(NumberCoding coding) { return coding == NumberCoding::kPlanes || coding == NumberCoding::kDeltaPlanes; }

std::vector<uint64_t> differences(NumberSpan numbers) {
  std::vector<uint64_t> result(numbers.size());
  uint64_t before = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    result[i] = zigzag(numbers[i] - before);
    before = numbers[i];
  }
  return result;
}

uint8_t* put_varint(uint64_t value, uint8_t* to) {
  if (value >> base::kLebWordBits == 0) return base::put_leb(value, to);
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to = static_cast<uint8_t>(value);
  return to + 1;
}

void encode_lebs(NumberSpan numbers, std::vector<uint8_t>& out) {
  constexpr size_t kAtOnce = 256;
  for (size_t from = 0; from < numbers.size(); from += kAtOnce) {
    const NumberSpan some = numbers.subspan(from, std::min(kAtOnce, numbers.size() - from));
    const size_t at = out.size();
    out.resize(at + some.size() * kVarintMostBytes);
    uint8_t* to = out.data() + at;
    for (const uint64_t number : some) to = put_varint(number, to);
    out.resize(static_cast<size_t>(to - out.data()));
  }
}

void encode_planes(NumberSpan numbers, std::vector<uint8_t>& out) {
  uint64_t all = 0;
  for (const uint64_t number : numbers) all |= number;
  const auto width = static_cast<size_t>(std::bit_width(all) + 7) / 8;
  out.push_back(static_cast<uint8_t>(width));
  const size_t at = out.size(), count = numbers.size();
  out.resize(at + width * count);
  for (size_t plane = 0; plane < width; ++plane) {
    uint8_t* const to = out.data() + at + plane * count;
    for (size_t i = 0; i < count; ++i) to[i] = static_cast<uint8_t>(numbers[i] >> (8 * plane));
  }
}

// Bits that these numbers take when zstd has seen them, more or less.
double price(NumberSpan numbers, NumberCoding coding, std::vector<uint8_t>& bytes, std::vector<uint8_t>& packed) {
  bytes.clear();
  encode_numbers(numbers, coding, bytes);
  if (numbers.size() < kLeastSketched) return 8.0 * static_cast<double>(bytes.size());
  if (numbers.size() <= kSketched) return packed_bits(bytes);
  packed.clear();
  append_zstd(bytes, 1, {}, packed);
  return 8.0 * static_cast<double>(packed.size());
}

}  // namespace

void append_varint(uint64_t value, std::vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

NumberCoding best_coding(NumberSpan numbers, NewCodings news) {
  if (std::ranges::all_of(numbers, [&](uint64_t each) { return each == numbers[0]; })) return NumberCoding::kConstant;
  const NumberSpan some = numbers.size() <= kTried ? numbers : numbers.subspan((numbers.size() - kTried) / 2, kTried);
  std::vector<uint8_t> bytes, packed;
  NumberCoding best = NumberCoding::kLebs;
  double least = price(some, best, bytes, packed);
  for (const NumberCoding coding : {NumberCoding::kPlanes, NumberCoding::kDeltaLebs, NumberCoding::kDeltaPlanes,
                                    NumberCoding::kScaled, NumberCoding::kDeltaScaled}) {
    if (is_scaled(coding) && (!news.scaled || numbers.size() < kLeastScaled)) continue;
    if (is_planes(coding) && bytes.size() == some.size()) continue;  // of LEB128s, the same bytes
    const double bits = price(some, coding, bytes, packed) * (is_scaled(coding) ? kScaledFor : 1.0);
    if (bits < least) least = bits, best = coding;
  }
  if (!news.models || numbers.size() < kLeastModelled || numbers.size() > kMostModelled) return best;
  const ModelPrice model = best_model(numbers, news.deep);
  const double bits = model.bits * static_cast<double>(some.size());
  return bits * (numbers.size() <= kFewModelled ? kModelForFew : 1.0) < least ? model.coding : best;
}

void encode_numbers(NumberSpan numbers, NumberCoding coding, std::vector<uint8_t>& out) {
  assert(!numbers.empty() && !is_modelled(coding) && "a stream without numbers is not in the directory");
  if (coding == NumberCoding::kConstant) return append_varint(numbers[0], out);
  const std::vector<uint64_t> changes = is_delta(coding) ? differences(numbers) : std::vector<uint64_t>();
  const NumberSpan values = is_delta(coding) ? NumberSpan(changes) : numbers;
  if (is_scaled(coding)) return append_scaled(values, out);
  is_planes(coding) ? encode_planes(values, out) : encode_lebs(values, out);
}

bool NumberReader::open(std::span<const uint8_t> bytes, NumberCoding coding, uint64_t count) {
  *this = {};
  if (is_modelled(coding)) return false;
  bytes_ = bytes;
  coding_ = coding;
  count_ = left_ = count;
  if (coding == NumberCoding::kConstant) {
    uint64_t constant = 0;
    if (!take_varint(bytes_, at_, constant) || at_ != bytes.size()) return false;
    ahead_.assign(std::min(count, kConstantsAhead), constant);
    return true;
  }
  if (is_planes(coding)) {
    if (bytes.empty() || bytes[0] > 8 || bytes.size() - 1 != bytes[0] * count) return false;
    width_ = bytes[0];
    at_ = 1;
  } else if (count > bytes.size()) {
    return false;
  }
  if (is_scaled(coding)) rests_ = BitReader(bytes.subspan(count));
  ahead_.resize(std::min(count, kAhead));
  return true;
}

void NumberReader::open(std::vector<uint64_t> numbers) {
  *this = {};
  ahead_ = std::move(numbers);
  ahead_end_ = ahead_.size();
}

bool NumberReader::read_ahead() {
  auto count = static_cast<size_t>(std::min<uint64_t>(left_, ahead_.size()));
  if (count == 0) return false;
  left_ -= count;
  if (coding_ != NumberCoding::kConstant) {
    if (is_planes(coding_))
      read_planes(count);
    else
      count = is_scaled(coding_) ? read_scaled(count) : read_lebs(count);
    if (is_delta(coding_)) sum_up(count);
  }
  ahead_at_ = 0;
  ahead_end_ = count;
  return count != 0;
}

size_t NumberReader::read_lebs(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const size_t taken = bytes_.size() - at_ >= 8 ? base::take_leb_word(bytes_.data() + at_, ahead_[i]) : 0;
    at_ += taken;
    if (taken != 0 || take_varint(bytes_, at_, ahead_[i])) continue;
    left_ = 0;
    return i;
  }
  return count;
}

void NumberReader::read_planes(size_t count) {
  const uint8_t* from = bytes_.data() + at_;
  std::fill_n(ahead_.begin(), count, 0);
  for (int shift = 0; shift < 8 * width_; shift += 8, from += count_)
    for (size_t i = 0; i < count; ++i) ahead_[i] |= uint64_t{from[i]} << shift;
  at_ += count;
}

size_t NumberReader::read_scaled(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (take_scaled(bytes_[at_++], rests_, ahead_[i])) continue;
    left_ = 0;
    return i;
  }
  return count;
}

void NumberReader::sum_up(size_t count) {
  for (size_t i = 0; i < count; ++i) ahead_[i] = before_ += unzigzag(ahead_[i]);
}

}  // namespace jfr::archive
