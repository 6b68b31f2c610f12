// SPDX-License-Identifier: Apache-2.0
#include "format/archive/modelled_numbers.h"

#include <algorithm>
#include <bit>

#include "format/archive/number_models.h"

namespace jfr::archive {
namespace {

constexpr size_t kPriced = 512;  // numbers that best_model() looks at

// BitEncoder, BitDecoder and BitPrice as Coders. Copies, which a loop keeps in registers.
struct RestEncoder {
  BitEncoder bits;
  BitWriter rests;
  bool bit(const AdaptiveBit& guess, bool bit) { return bits.bit(guess, bit); }
  uint64_t rest(uint64_t value, unsigned count) { return rests.put(value, count), value; }
};
struct RestDecoder {
  BitDecoder bits;
  BitReader rests;
  bool ok = true;
  bool bit(const AdaptiveBit& guess, bool bit) { return bits.bit(guess, bit); }
  uint64_t rest(uint64_t, unsigned count) {
    uint64_t value = 0;
    ok = rests.take(count, value) && ok;
    return value;
  }
};
struct RestPrice {
  BitPrice bits;
  bool bit(const AdaptiveBit& guess, bool bit) { return bits.bit(guess, bit); }
  uint64_t rest(uint64_t value, unsigned count) { return bits.add(count), value; }
};

// numbers: as they are, or their differences.
template <typename Model, typename Coder>
void code_all(Model model, Coder& state, std::span<const uint64_t> numbers, bool differences) {
  Coder coder = state;
  uint64_t before = 0;
  for (const uint64_t number : numbers) {
    model.code(coder, differences ? zigzag(number - before) : number);
    before = number;
  }
  state = coder;
}

template <typename Coder>
void code_numbers(Coder& coder, std::span<const uint64_t> numbers, NumberCoding coding) {
  if (coding == NumberCoding::kSymbolModel)
    code_all(SymbolModel(symbol_bits(numbers, coding)), coder, numbers, false);
  else
    code_all(LengthModel(), coder, numbers, coding == NumberCoding::kDeltaLengthModel);
}

template <typename Model>
bool decode_all(Model model, RestDecoder& state, uint64_t count, bool differences, std::vector<uint64_t>& numbers) {
  RestDecoder coder = state;
  uint64_t before = 0;
  for (; count > 0 && coder.ok && coder.bits.ok(); --count) {
    const uint64_t value = model.code(coder, 0);
    before = differences ? before + unzigzag(value) : value;
    numbers.push_back(before);
  }
  state = coder;
  return count == 0 && coder.ok;
}

}  // namespace

unsigned symbol_bits(std::span<const uint64_t> numbers, NumberCoding coding) {
  if (coding != NumberCoding::kSymbolModel) return 0;
  return static_cast<unsigned>(std::bit_width(std::ranges::max(numbers) | 1));
}

void ModelledWriter::put(std::span<const uint64_t> numbers, NumberCoding coding) {
  used_ = true;
  RestEncoder coder{coder_, rests_};
  code_numbers(coder, numbers, coding);
  coder_ = coder.bits;
  rests_ = coder.rests;
}

std::vector<uint8_t> ModelledWriter::finish() {
  if (!used_) return {};
  coder_.finish();
  rests_.finish();
  std::vector<uint8_t> block;
  append_varint(bytes_.size(), block);
  block.insert(block.end(), bytes_.begin(), bytes_.end());
  block.insert(block.end(), rest_bytes_.begin(), rest_bytes_.end());
  return block;
}

std::vector<uint8_t> ModelledReader::coded_part(std::span<const uint8_t> block, std::span<const uint8_t>& rests) {
  size_t at = 0;
  uint64_t size = 0;
  std::vector<uint8_t> bytes;
  if (take_varint(block, at, size) && size <= block.size() - at) {
    rests = block.subspan(at + size);
    bytes.assign(block.begin() + static_cast<ptrdiff_t>(at), block.begin() + static_cast<ptrdiff_t>(at + size));
  }
  bytes.resize(bytes.size() + BitDecoder::kZeros);
  return bytes;
}

ModelledReader::ModelledReader(std::span<const uint8_t> block)
    : bytes_(coded_part(block, rest_bytes_)), coder_(bytes_), rests_(rest_bytes_) {}

bool ModelledReader::take(NumberCoding coding, uint64_t bits, uint64_t count, std::vector<uint64_t>& numbers) {
  RestDecoder coder{coder_, rests_};
  bool whole = false;
  if (coding != NumberCoding::kSymbolModel)
    whole = decode_all(LengthModel(), coder, count, coding == NumberCoding::kDeltaLengthModel, numbers);
  else if (bits > 0 && bits <= SymbolModel::kMostBits &&
           count >= SymbolModel::least_numbers(static_cast<unsigned>(bits)))
    whole = decode_all(SymbolModel(static_cast<unsigned>(bits)), coder, count, false, numbers);
  coder_ = coder.bits;
  rests_ = coder.rests;
  return whole;
}

ModelPrice best_model(std::span<const uint64_t> numbers) {
  const size_t count = numbers.size();
  const unsigned bits = symbol_bits(numbers, NumberCoding::kSymbolModel);
  if (count > kPriced) numbers = numbers.subspan((count - kPriced) / 2, kPriced);
  ModelPrice best{NumberCoding::kLengthModel, 0};
  for (const NumberCoding coding :
       {NumberCoding::kLengthModel, NumberCoding::kDeltaLengthModel, NumberCoding::kSymbolModel}) {
    if (coding == NumberCoding::kSymbolModel &&
        (bits > SymbolModel::kMostBits || count < SymbolModel::least_numbers(bits)))
      continue;
    RestPrice price;
    code_numbers(price, numbers, coding);
    const double each = price.bits.bits() / static_cast<double>(numbers.size());
    if (best.bits == 0 || each < best.bits) best = {coding, each};
  }
  return best;
}

}  // namespace jfr::archive
