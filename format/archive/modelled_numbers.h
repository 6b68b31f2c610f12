// SPDX-License-Identifier: Apache-2.0
// The streams of numbers of a chunk that models (number_models.h) code, one behind the other in one block:
//
//   LEB128 bytes of the range coder, its bytes, the rests of all numbers (bit_string.h)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/archive/adaptive_coder.h"
#include "format/archive/bit_string.h"
#include "format/archive/number_codec.h"

namespace jfr::archive {

// Bits of a number in kSymbolModel; 0 in other codings.
unsigned symbol_bits(std::span<const uint64_t> numbers, NumberCoding coding);

class ModelledWriter {
 public:
  void put(std::span<const uint64_t> numbers, NumberCoding coding);
  // At last. Empty if nothing was put.
  std::vector<uint8_t> finish();

 private:
  std::vector<uint8_t> bytes_, rest_bytes_;
  BitEncoder coder_{bytes_};
  BitWriter rests_{rest_bytes_};
  bool used_ = false;
};

class ModelledReader {
 public:
  // Of bytes that outlive it.
  explicit ModelledReader(std::span<const uint8_t> block);
  ModelledReader(const ModelledReader&) = delete;

  // The next stream. False: it is none. bits: symbol_bits().
  bool take(NumberCoding coding, uint64_t bits, uint64_t count, std::vector<uint64_t>& numbers);

 private:
  static std::vector<uint8_t> coded_part(std::span<const uint8_t> block, std::span<const uint8_t>& rests);

  std::span<const uint8_t> rest_bytes_;
  std::vector<uint8_t> bytes_;  // of the range coder, with zeros behind
  BitDecoder coder_;
  BitReader rests_;
};

// The model that is best for such numbers, and what it takes for each of them.
struct ModelPrice {
  NumberCoding coding;
  double bits;
};
// deep: all models may be used, and not only those of version 3.
ModelPrice best_model(std::span<const uint64_t> numbers, bool deep = true);

}  // namespace jfr::archive
