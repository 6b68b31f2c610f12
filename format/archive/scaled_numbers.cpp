// SPDX-License-Identifier: Apache-2.0
#include "format/archive/scaled_numbers.h"

#include <array>
#include <bit>

namespace jfr::archive {
namespace {

//   0 ... 7          the number itself
//   8 + 4 * i ...    numbers of 4 + i bits: the two highest and the lowest are known, 1 + i between them are not
constexpr unsigned kThemselves = 8, kOfALength = 4, kShortest = 4, kLongest = 64;
constexpr unsigned kSymbols = kThemselves + (kLongest - kShortest + 1) * kOfALength;
constexpr unsigned kKnownBits = 3;
static_assert(kSymbols <= 256, "a symbol is a byte");

struct ScaledSymbol {
  uint64_t number = 0;  // with a rest of zeros
  unsigned rest = 0;    // bits
};

constexpr auto kSymbolTable = [] {
  std::array<ScaledSymbol, kSymbols> symbols{};
  for (unsigned i = 0; i < kThemselves; ++i) symbols[i].number = i;
  for (unsigned i = kThemselves; i < kSymbols; ++i) {
    const unsigned length = kShortest + (i - kThemselves) / kOfALength, second = (i - kThemselves) / 2 % 2;
    symbols[i] = {uint64_t{2 | second} << (length - 2) | (i - kThemselves) % 2, length - kKnownBits};
  }
  return symbols;
}();

unsigned symbol_of(uint64_t number) {
  if (number < kThemselves) return static_cast<unsigned>(number);
  const auto length = static_cast<unsigned>(std::bit_width(number));
  const auto second = static_cast<unsigned>(number >> (length - 2) & 1), lowest = static_cast<unsigned>(number & 1);
  return kThemselves + (length - kShortest) * kOfALength + second * 2 + lowest;
}

}  // namespace

void append_scaled(std::span<const uint64_t> numbers, std::vector<uint8_t>& out) {
  size_t at = out.size();
  out.resize(at + numbers.size());
  for (const uint64_t number : numbers) out[at++] = static_cast<uint8_t>(symbol_of(number));
  BitWriter rests(out);
  for (const uint64_t number : numbers) {
    const unsigned rest = kSymbolTable[symbol_of(number)].rest;
    rests.put(number >> 1 & ((uint64_t{1} << rest) - 1), rest);
  }
  rests.finish();
}

bool take_scaled(uint8_t symbol, BitReader& rests, uint64_t& number) {
  uint64_t rest = 0;
  if (symbol >= kSymbols || !rests.take(kSymbolTable[symbol].rest, rest)) return false;
  number = kSymbolTable[symbol].number | rest << 1;
  return true;
}

}  // namespace jfr::archive
