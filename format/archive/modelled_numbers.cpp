// SPDX-License-Identifier: Apache-2.0
#include "format/archive/modelled_numbers.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "format/archive/number_models.h"
#include "format/archive/number_steps.h"

namespace jfr::archive {
namespace {

constexpr size_t kPriced = 320;    // numbers that best_model() looks at
constexpr size_t kHardlyAny = 8;   // where no more than one part in so many has a short code, no model is tried by it
constexpr size_t kGlimpsed = 192;  // numbers by which that is told, if it takes long
constexpr size_t kFarMore = 4;     // bits that each number has more than the difference, and is not looked at

// BitEncoder, BitDecoder and BitPrice as Coders. Copies, which a loop keeps in registers.
struct RestEncoder {
  BitEncoder bits;
  BitWriter rests;
  bool bit(const AdaptiveBit& guess, bool bit) { return bits.bit(guess, bit); }
  bool high_bit(const AdaptiveBit& guess, bool bit, uint64_t) { return bits.bit(guess, bit); }
  uint64_t rest(uint64_t value, unsigned count) { return rests.put(value, count), value; }
};
struct RestDecoder {
  BitDecoder bits;
  BitReader rests;
  bool ok = true;
  bool bit(const AdaptiveBit& guess, bool bit) { return bits.bit(guess, bit); }
  bool high_bit(const AdaptiveBit& guess, bool bit, uint64_t) { return bits.bit(guess, bit); }
  uint64_t rest(uint64_t, unsigned count) {
    uint64_t value = 0;
    ok = rests.take(count, value) && ok;
    return value;
  }
};
struct RestPrice {
  BitPrice bits, deep;   // deep: of bits that LengthModel leaves to chance, and DeepModel does not
  double by_chance = 0;  // how many these are
  bool bit(const AdaptiveBit& guess, bool bit) { return bits.bit(guess, bit); }
  bool high_bit(const AdaptiveBit& guess, bool bit, uint64_t made) {
    if (made < 1u << LengthModel::kKnownBits) return bits.bit(guess, bit);
    by_chance += 1;
    return deep.bit(guess, bit);
  }
  uint64_t rest(uint64_t value, unsigned count) { return bits.add(count), value; }
};

template <typename Model, typename Step, typename Coder>
void code_all(Model model, Step step, Coder& state, std::span<const uint64_t> numbers) {
  Coder coder = state;
  for (const uint64_t number : numbers) model.code(coder, step.code(number));
  state = coder;
}

template <typename Model, typename Step>
bool decode_all(Model model, Step step, RestDecoder& state, uint64_t count, std::vector<uint64_t>& numbers) {
  RestDecoder coder = state;
  for (; count > 0 && coder.ok && coder.bits.ok(); --count) numbers.push_back(step.number(model.code(coder, 0)));
  state = coder;
  return count == 0 && coder.ok;
}

// Calls `use` with what the coding is made of. bits: symbol_bits(), right for kSymbolModel.
template <typename Use>
auto with_model(NumberCoding coding, unsigned bits, const Use& use) {
  switch (coding) {
    case NumberCoding::kSymbolModel: return use(SymbolModel(bits), AsItIs());
    case NumberCoding::kDeltaLengthModel: return use(LengthModel(), Difference());
    case NumberCoding::kDeepModel: return use(DeepModel(), AsItIs());
    case NumberCoding::kDeltaDeepModel: return use(DeepModel(), Difference());
    case NumberCoding::kRecentModel: return use(DeepModel(), Recent());
    case NumberCoding::kNewestModel: return use(DeepModel(), Newest());
    default: return use(LengthModel(), AsItIs());
  }
}

template <typename Coder>
void code_numbers(Coder& coder, std::span<const uint64_t> numbers, NumberCoding coding) {
  with_model(coding, symbol_bits(numbers, coding), [&]<typename Model, typename Step>(Model model, Step step) {
    code_all(std::move(model), step, coder, numbers);
  });
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
  const bool is_symbols = coding == NumberCoding::kSymbolModel;
  const bool is_known = !is_symbols || (bits > 0 && bits <= SymbolModel::kMostBits &&
                                        count >= SymbolModel::least_numbers(static_cast<unsigned>(bits)));
  const bool whole = is_known && with_model(coding, static_cast<unsigned>(bits),
                                            [&]<typename Model, typename Step>(Model model, Step step) {
                                              return decode_all(std::move(model), step, coder, count, numbers);
                                            });
  coder_ = coder.bits;
  rests_ = coder.rests;
  return whole;
}

namespace {

// Goes by the cheapest so far.
class Prices {
 public:
  explicit Prices(std::span<const uint64_t> numbers) : numbers_(numbers) {}

  void add(NumberCoding coding, double bits) {
    const double each = bits / static_cast<double>(numbers_.size());
    if (best_.bits == 0 || each < best_.bits) best_ = {coding, each};
  }
  void add_symbols() {
    RestPrice price;
    code_numbers(price, numbers_, NumberCoding::kSymbolModel);
    add(NumberCoding::kSymbolModel, price.bits.bits());
  }
  // Both by one look: the deep model is the other, and more. kCount: not that one.
  template <typename Step>
  void add_lengths(NumberCoding shallow, NumberCoding deep) {
    RestPrice price;
    code_all(DeepModel(), Step(), price, numbers_);
    if (shallow != NumberCoding::kCount) add(shallow, price.bits.bits() + price.by_chance);
    if (deep != NumberCoding::kCount) add(deep, price.bits.bits() + price.deep.bits());
  }
  ModelPrice best() const { return best_; }

 private:
  const std::span<const uint64_t> numbers_;
  ModelPrice best_{NumberCoding::kLengthModel, 0};
};

// How many codes of these numbers are below that, and how many bits all have.
struct Glance {
  size_t below = 0, bits = 0;
};
template <typename Step>
Glance glance_at(std::span<const uint64_t> numbers, uint64_t most) {
  Step step;
  Glance glance;
  for (const uint64_t number : numbers) {
    const uint64_t code = step.code(number);
    glance.below += code < most;
    glance.bits += static_cast<size_t>(std::bit_width(code));
  }
  return glance;
}

}  // namespace

ModelPrice best_model(std::span<const uint64_t> numbers, bool deep) {
  const std::span<const uint64_t> all = numbers;
  const unsigned bits = symbol_bits(numbers, NumberCoding::kSymbolModel);
  if (all.size() > kPriced) numbers = numbers.subspan((all.size() - kPriced) / 2, kPriced);
  Prices prices(numbers);
  const auto if_deep = [&](NumberCoding coding) { return deep ? coding : NumberCoding::kCount; };
  const size_t as_it_is = glance_at<AsItIs>(numbers, 0).bits, differences = glance_at<Difference>(numbers, 0).bits;
  if (as_it_is < differences + kFarMore * numbers.size())
    prices.add_lengths<AsItIs>(NumberCoding::kLengthModel, if_deep(NumberCoding::kDeepModel));
  if (differences < as_it_is + numbers.size())
    prices.add_lengths<Difference>(NumberCoding::kDeltaLengthModel, if_deep(NumberCoding::kDeltaDeepModel));
  if (bits <= SymbolModel::kMostBits && all.size() >= SymbolModel::least_numbers(bits)) prices.add_symbols();
  if (!deep) return prices.best();
  const auto glimpse = numbers.first(std::min(numbers.size(), kGlimpsed));
  if (glance_at<Recent>(glimpse, Recent::kPlaces).below > glimpse.size() / kHardlyAny &&
      std::ranges::max(all) <= Recent::kMost)
    prices.add_lengths<Recent>(NumberCoding::kCount, NumberCoding::kRecentModel);
  if (glance_at<Newest>(numbers, 1).below > numbers.size() / kHardlyAny)
    prices.add_lengths<Newest>(NumberCoding::kCount, NumberCoding::kNewestModel);
  return prices.best();
}

}  // namespace jfr::archive
