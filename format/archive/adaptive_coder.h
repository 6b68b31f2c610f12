// SPDX-License-Identifier: Apache-2.0
// Bits that are coded by how likely they are: a binary range coder, whose guesses learn from each bit.
//
//   AdaptiveBit    the guess at one place: how likely a 0 is there
//   BitEncoder     bits -> bytes          BitDecoder    bytes -> bits, by the same guesses        BitPrice    only counts
//
// All three are Coders of number_models.h. Range coder: of [low, low + range) a bit takes the share that was guessed;
// bytes leave at the top as soon as they are sure: one a bit at most, as no guess is surer than kLeast.
//
// Nobody can foretell these bits, a processor neither: they choose by masks, and not by branches.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace jfr::archive {

struct AdaptiveBit {
  static constexpr unsigned kBits = 12;  // of a guess
  static constexpr uint16_t kOne = 1u << kBits, kLeast = 24;

  uint16_t zero = kOne / 2;  // of kOne
  uint16_t seen = 0;         // bits that it has learned from, up to kMostSeen

  // The first ones change it most.
  void learn(bool bit) {
    const int up = (kOne - zero) >> kSlow[seen], down = zero >> kSlow[seen], is_one = -int{bit};
    const int now = zero + (up & ~is_one) - (down & is_one);
    zero = static_cast<uint16_t>(std::clamp<int>(now, kLeast, kOne - kLeast));
    seen = static_cast<uint16_t>(seen + (seen < kMostSeen));
  }

 private:
  static constexpr uint16_t kMostSeen = 15;
  static constexpr std::array<uint8_t, kMostSeen + 1> kSlow = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5};
};

class BitEncoder {
 public:
  explicit BitEncoder(std::vector<uint8_t>& out) : out_(&out) {}

  bool bit(const AdaptiveBit& guess, bool bit) {
    const uint32_t share = (range_ >> AdaptiveBit::kBits) * guess.zero, is_one = 0u - uint32_t{bit};
    low_ += share & is_one;
    range_ = (share & ~is_one) | ((range_ - share) & is_one);
    if (range_ < kLeastRange) shift(), range_ <<= 8;
    return bit;
  }
  // At last.
  void finish() {
    for (int i = 0; i < 5; ++i) shift();
  }

  static constexpr uint32_t kLeastRange = 1u << 24;

 private:
  // The top byte is sure unless it is ff: then a carry may still come, and it waits.
  void shift() {
    if (low_ < 0xff000000u || low_ > 0xffffffffu) {
      const auto carry = static_cast<uint8_t>(low_ >> 32);
      if (begun_) out_->push_back(static_cast<uint8_t>(top_ + carry));
      begun_ = true;
      for (; waiting_ > 0; --waiting_) out_->push_back(static_cast<uint8_t>(0xff + carry));
      top_ = static_cast<uint8_t>(low_ >> 24);
    } else {
      ++waiting_;
    }
    low_ = (low_ & 0x00ffffffu) << 8;
  }

  std::vector<uint8_t>* out_;
  uint64_t low_ = 0, waiting_ = 0;
  uint32_t range_ = 0xffffffff;
  uint8_t top_ = 0;
  bool begun_ = false;  // top_ is one of the bytes
};

class BitDecoder {
 public:
  // Zeros that have to stand behind the bytes: who reads asks ok() at least once in kMostUnasked bits.
  static constexpr size_t kMostUnasked = 64, kZeros = kMostUnasked + 8;

  // Of bytes that outlive it.
  explicit BitDecoder(std::span<const uint8_t> with_zeros)
      : at_(with_zeros.data()), end_(at_ + with_zeros.size() - kZeros) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | *at_++;
  }

  bool bit(const AdaptiveBit& guess, bool) {
    const uint32_t share = (range_ >> AdaptiveBit::kBits) * guess.zero;
    const uint32_t is_one = 0u - uint32_t{code_ >= share};
    code_ -= share & is_one;
    range_ = (share & ~is_one) | ((range_ - share) & is_one);
    const uint32_t moves = range_ < BitEncoder::kLeastRange;
    code_ = code_ << 8 * moves | (*at_ & (0u - moves));
    range_ <<= 8 * moves;
    at_ += moves;
    return is_one != 0;
  }
  // It has not read behind the end.
  bool ok() const { return at_ <= end_; }

 private:
  const uint8_t *at_, *end_;
  uint32_t code_ = 0, range_ = 0xffffffff;
};

class BitPrice {
 public:
  bool bit(const AdaptiveBit& guess, bool bit) {
    static const auto kPrices = [] {
      std::array<float, AdaptiveBit::kOne / kStep> prices{};
      for (size_t i = 0; i < prices.size(); ++i)
        prices[i] = -std::log2((static_cast<float>(i) + 0.5f) / static_cast<float>(prices.size()));
      return prices;
    }();
    bits_ += kPrices[(bit ? AdaptiveBit::kOne - guess.zero : guess.zero) / kStep];
    return bit;
  }
  void add(double bits) { bits_ += bits; }
  double bits() const { return bits_; }

 private:
  static constexpr size_t kStep = 8;
  double bits_ = 0;
};

}  // namespace jfr::archive
