// SPDX-License-Identifier: Apache-2.0
// Streams are the columns of one chunk: all values that one field has, in the order of the file.
//
//   numbers   values of one kind: times, ids, sizes, counts     in what makes them smallest (number_codec.h), then zstd
//   bytes     texts, and what could not be taken apart          zstd
//
// Who writes appends; who reads takes from the front. A stream that runs dry, or a packed one that is damaged, fails
// for good: next() then yields zeros and ok() is false, so a decoder may ask once a record.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "format/archive/blocks.h"
#include "format/archive/number_codec.h"

namespace jfr::archive {

struct NumberStream {
  std::vector<uint64_t> values;  // that were put
  bool is_text = false;          // they are characters, which zstd does best by
  NumberReader in;               // those of blocks
  void put(uint64_t value) { values.push_back(value); }
};

struct ByteStream {
  std::vector<uint8_t> values;
  std::span<const uint8_t> in;  // what is left of those of blocks
  void put(std::span<const uint8_t> bytes) { values.insert(values.end(), bytes.begin(), bytes.end()); }
};

class Streams {
 public:
  static constexpr uint32_t kMost = 1u << 20;  // of either kind

  // A new one: its number. Who reads asks for them in the order in which who wrote did.
  uint32_t add_numbers() { return grow(numbers_, numbers_made_); }
  uint32_t add_bytes() { return grow(bytes_, bytes_made_); }

  // All of one, wherever who reads it is. One of more than kMostAtOnce fails: a few bytes may tell of any number.
  static constexpr uint64_t kMostAtOnce = 1u << 24;
  std::vector<uint64_t> all(uint32_t stream) const;
  std::span<const uint8_t> all_bytes(uint32_t stream) const;

  // Instead of what blocks have.
  void replace(uint32_t stream, std::span<const uint64_t> values);

  NumberStream& numbers(uint32_t stream) {
    assert(stream < numbers_.size() && "add_numbers() comes first");
    return numbers_[stream];
  }
  ByteStream& bytes(uint32_t stream) {
    assert(stream < bytes_.size() && "add_bytes() comes first");
    return bytes_[stream];
  }

  bool ok() const { return ok_; }
  void fail() { ok_ = false; }

  uint64_t next(uint32_t stream) {
    uint64_t value = 0;
    if (!numbers_[stream].in.next(value)) ok_ = false;
    return value;
  }
  std::span<const uint8_t> next_bytes(uint32_t stream, uint64_t count);

  Blocks to_blocks(NewCodings news = {}) const;
  // To be read from blocks that outlive it. False: they are none that to_blocks() made, or of more than `limit` values.
  bool from_blocks(const Blocks& blocks, uint64_t limit);

 private:
  template <typename Kind>
  uint32_t grow(std::vector<Kind>& streams, uint32_t& made) {
    if (made == streams.size()) streams.emplace_back();
    return made++;
  }

  std::vector<NumberStream> numbers_;
  std::vector<ByteStream> bytes_;
  uint32_t numbers_made_ = 0, bytes_made_ = 0;  // asked for; from_blocks() may have filled more
  mutable bool ok_ = true;
};

}  // namespace jfr::archive
