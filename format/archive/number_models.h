// SPDX-License-Identifier: Apache-2.0
// What is likely in a column, given what came before: the models of an adaptive coder (adaptive_coder.h).
//
//   LengthModel    numbers of any size: how many bits, in the context of the number before; the three bits behind the
//                  highest; the others are no better than chance, and stand elsewhere as they are
//   DeepModel      the same with eight such bits: some numbers come again
//   SymbolModel    numbers below 256: the number itself, in the context of the one before, or of two if they are
//                  below 16
//
// A place in a context that is new begins with what is likely in any. A Coder has bit() as the classes there, and
//
//   bool high_bit(guess, bit, made)    bit(), of one behind the highest; made: 1 and those between
//   uint64_t rest(value, count)        so many bits as they are
//
// code() says a number to an encoder, and to a decoder nothing: it returns the number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "format/archive/adaptive_coder.h"

namespace jfr::archive {

template <typename Coder>
bool code_bit(Coder& coder, AdaptiveBit& anywhere, AdaptiveBit& here, bool bit) {
  constexpr uint16_t kBelieved = 3;
  if (here.seen == 0) here.zero = anywhere.zero, here.seen = kBelieved;
  bit = coder.bit(here, bit);
  here.learn(bit);
  anywhere.learn(bit);
  return bit;
}

// Places for the bits behind the highest, by length. Few lengths are met.
template <unsigned kKnown>
class HighBits {
 public:
  HighBits() { places_.reserve(kUsual << kKnown); }
  AdaptiveBit* of(unsigned length) {
    uint32_t& at = rows_[length];
    if (at == 0) {
      places_.resize(places_.size() + (size_t{1} << kKnown));
      at = static_cast<uint32_t>(places_.size() >> kKnown);
    }
    return &places_[size_t{at - 1} << kKnown];
  }

 private:
  static constexpr size_t kUsual = 12;  // lengths that a column has
  std::array<uint32_t, 65> rows_{};     // from 1; 0: not met
  std::vector<AdaptiveBit> places_;
};
template <>
class HighBits<3> {
 public:
  AdaptiveBit* of(unsigned length) { return places_[length].data(); }

 private:
  std::array<std::array<AdaptiveBit, 8>, 65> places_;
};

// kKnown: how many bits behind the highest are not left to chance.
template <unsigned kKnown>
class BitLengthModel {
 public:
  static constexpr unsigned kKnownBits = kKnown;

  template <typename Coder>
  uint64_t code(Coder& coder, uint64_t value) {
    const unsigned length = code_length(coder, static_cast<unsigned>(std::bit_width(value)));
    if (length < 2) return length;
    AdaptiveBit* const high = high_.of(length);
    uint64_t made = 1;
    unsigned left = length - 1;
    for (; left > 0 && made < 1u << kKnown; --left) {
      AdaptiveBit& place = high[made];
      const bool bit = coder.high_bit(place, value >> (left - 1) & 1, made);
      place.learn(bit);
      made = made << 1 | bit;
    }
    return made << left | coder.rest(value & ((uint64_t{1} << left) - 1), left);
  }

 private:
  static constexpr unsigned kShort = 15, kLengths = 65;

  template <typename Coder>
  unsigned code_length(Coder& coder, unsigned length) {
    const unsigned shown = std::min(length, kShort);
    unsigned made = 1;
    for (unsigned left = 4; left-- > 0;)
      made = made << 1 | code_bit(coder, any_[made], after_[before_][made], shown >> left & 1);
    before_ = made & kShort;
    return before_ < kShort ? before_ : kShort + code_more(coder, length - shown);
  }
  // From 0 to 63; of those a length can have, less than 50.
  template <typename Coder>
  unsigned code_more(Coder& coder, unsigned more) {
    unsigned made = 1;
    for (unsigned left = 6; left-- > 0;) {
      const bool bit = coder.bit(more_[made], more >> left & 1);
      more_[made].learn(bit);
      made = made << 1 | bit;
    }
    return std::min(made & 63, kLengths - 1 - kShort);
  }

  unsigned before_ = 0;
  std::array<AdaptiveBit, 16> any_;
  std::array<std::array<AdaptiveBit, 16>, 16> after_;
  std::array<AdaptiveBit, 64> more_;
  HighBits<kKnown> high_;
};
using LengthModel = BitLengthModel<3>;
using DeepModel = BitLengthModel<8>;

class SymbolModel {
 public:
  static constexpr unsigned kMostBits = 8;
  // Fewer numbers are not worth its memory.
  static constexpr uint64_t least_numbers(unsigned bits) { return bits < 4 ? 16 : 1u << bits; }

  // bits: that each number has.
  explicit SymbolModel(unsigned bits)
      : bits_(bits),
        two_(bits <= kMostBits / 2),
        any_(size_t{1} << bits),
        rows_(size_t{1} << (two_ ? 2 * bits : bits), kNoRow) {}

  template <typename Coder>
  uint64_t code(Coder& coder, uint64_t value) {
    AdaptiveBit* const after = row(two_ ? last_ << bits_ | before_ : before_);
    unsigned made = 1;
    for (unsigned left = bits_; left-- > 0;)
      made = made << 1 | code_bit(coder, any_[made], after[made], value >> left & 1);
    last_ = before_;
    return before_ = made & ((1u << bits_) - 1);
  }

 private:
  static constexpr uint32_t kNoRow = ~0u;

  // The places of a context. Few of all that there may be are met.
  AdaptiveBit* row(unsigned context) {
    uint32_t& at = rows_[context];
    if (at == kNoRow) {
      at = static_cast<uint32_t>(after_.size());
      after_.resize(after_.size() + (size_t{1} << bits_));
    }
    return &after_[at];
  }

  const unsigned bits_;
  const bool two_;
  unsigned before_ = 0, last_ = 0;  // last: the one before that
  std::vector<AdaptiveBit> any_, after_;
  std::vector<uint32_t> rows_;  // where in after_ the places of a context are
};

}  // namespace jfr::archive
