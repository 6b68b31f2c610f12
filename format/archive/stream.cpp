// SPDX-License-Identifier: Apache-2.0
// The front block:
//
//   LEB128 of the directory's size, directory, all small streams of numbers
//
//   directory   numbers: { LEB128 streams passed over + 1, LEB128 count, byte coding, LEB128 bytes } ..., 0
//                        where a model codes them: symbol_bits() instead of the bytes
//               bytes:   { LEB128 streams passed over + 1, LEB128 bytes } ..., 0
#include "format/archive/stream.h"

#include "format/archive/modelled_numbers.h"

namespace jfr::archive {
namespace {

constexpr size_t kLarge = 32u << 10;      // bytes from which on a stream of numbers is a block of its own
constexpr size_t kFewCharacters = 2'048;  // of more, no coding is tried

NumberCoding coding_of(const NumberStream& stream, NewCodings news) {
  const bool is_long_text = stream.is_text && stream.values.size() > kFewCharacters;
  return is_long_text ? NumberCoding::kLebs : best_coding(stream.values, news);
}

// Reads blocks in the order of the directory.
struct BlocksReader {
  const Blocks& blocks;
  size_t directory_at = 0, directory_end = 0, front_at = 0, text_at = 0, larges = 0;

  bool open() {
    uint64_t size = 0;
    if (!take_varint(blocks.front, directory_at, size) || size > blocks.front.size() - directory_at) return false;
    directory_end = front_at = directory_at + size;
    return true;
  }
  bool leb(uint64_t& value) {
    return take_varint(std::span<const uint8_t>(blocks.front).first(directory_end), directory_at, value);
  }
  bool numbers(uint32_t stream, uint64_t size, std::span<const uint8_t>& bytes) {
    if (size < kLarge) return part_of(blocks.front, front_at, size, bytes);
    const auto found = blocks.large.find(stream);
    if (found == blocks.large.end() || found->second.size() != size) return false;
    bytes = found->second;
    ++larges;
    return true;
  }
  bool text(uint64_t size, std::span<const uint8_t>& bytes) { return part_of(blocks.texts, text_at, size, bytes); }
  bool at_end() const {
    return front_at == blocks.front.size() && text_at == blocks.texts.size() && larges == blocks.large.size();
  }

 private:
  static bool part_of(std::span<const uint8_t> block, size_t& at, uint64_t size, std::span<const uint8_t>& bytes) {
    if (size > block.size() - at) return false;
    bytes = block.subspan(at, size);
    at += size;
    return true;
  }
};

}  // namespace

std::vector<uint64_t> Streams::all(uint32_t stream) const {
  const NumberStream& from = numbers_[stream];
  if (!from.values.empty()) return from.values;
  std::vector<uint64_t> values;
  if (from.in.left() > kMostAtOnce) return ok_ = false, values;
  NumberReader in = from.in;
  for (uint64_t value = 0; in.next(value);) values.push_back(value);
  return values;
}

void Streams::replace(uint32_t stream, std::span<const uint64_t> values) {
  numbers_[stream].in.open({values.begin(), values.end()});
}

std::span<const uint8_t> Streams::all_bytes(uint32_t stream) const {
  const ByteStream& from = bytes_[stream];
  return from.values.empty() ? from.in : std::span<const uint8_t>(from.values);
}

std::span<const uint8_t> Streams::next_bytes(uint32_t stream, uint64_t count) {
  ByteStream& from = bytes_[stream];
  if (count > from.in.size()) {
    ok_ = false;
    return {};
  }
  const std::span<const uint8_t> bytes = from.in.first(count);
  from.in = from.in.subspan(count);
  return bytes;
}

Blocks Streams::to_blocks(NewCodings news) const {
  Blocks blocks;
  std::vector<uint8_t> directory, small;
  ModelledWriter modelled;
  uint64_t gap = 1;
  for (size_t i = 0; i < numbers_.size(); ++i, ++gap) {
    const std::vector<uint64_t>& values = numbers_[i].values;
    if (values.empty()) continue;
    const NumberCoding coding = coding_of(numbers_[i], news);
    append_varint(std::exchange(gap, 0), directory);
    append_varint(values.size(), directory);
    directory.push_back(static_cast<uint8_t>(coding));
    if (is_modelled(coding)) {
      append_varint(symbol_bits(values, coding), directory);
      modelled.put(values, coding);
      continue;
    }
    std::vector<uint8_t> bytes;
    encode_numbers(values, coding, bytes);
    append_varint(bytes.size(), directory);
    if (bytes.size() < kLarge)
      small.insert(small.end(), bytes.begin(), bytes.end());
    else
      blocks.large[static_cast<uint32_t>(i)] = std::move(bytes);
  }
  append_varint(0, directory);
  gap = 1;
  for (size_t i = 0; i < bytes_.size(); ++i, ++gap) {
    const std::vector<uint8_t>& bytes = bytes_[i].values;
    if (bytes.empty()) continue;
    append_varint(std::exchange(gap, 0), directory);
    append_varint(bytes.size(), directory);
    blocks.texts.insert(blocks.texts.end(), bytes.begin(), bytes.end());
  }
  append_varint(0, directory);
  blocks.modelled = modelled.finish();
  append_varint(directory.size(), blocks.front);
  blocks.front.insert(blocks.front.end(), directory.begin(), directory.end());
  blocks.front.insert(blocks.front.end(), small.begin(), small.end());
  return blocks;
}

bool Streams::from_blocks(const Blocks& blocks, uint64_t limit) {
  BlocksReader in{blocks};
  ModelledReader modelled(blocks.modelled);
  if (!in.open()) return false;
  std::span<const uint8_t> bytes;
  uint64_t gap = 0, count = 0, coding = 0, size = 0, stream = 0;
  while (in.leb(gap) && gap != 0) {
    stream += gap;
    if (!in.leb(count) || !in.leb(coding) || !in.leb(size) || stream > kMost || count > limit) return false;
    if (coding >= static_cast<uint64_t>(NumberCoding::kCount)) return false;
    limit -= count;
    if (numbers_.size() < stream) numbers_.resize(stream);
    const auto as = static_cast<NumberCoding>(coding);
    if (is_modelled(as)) {
      std::vector<uint64_t> numbers;
      if (!modelled.take(as, size, count, numbers)) return false;
      numbers_[stream - 1].in.open(std::move(numbers));
      continue;
    }
    if (!in.numbers(static_cast<uint32_t>(stream - 1), size, bytes)) return false;
    if (!numbers_[stream - 1].in.open(bytes, as, count)) return false;
  }
  stream = 0;
  while (in.leb(gap) && gap != 0) {
    stream += gap;
    if (!in.leb(size) || stream > kMost || size > limit) return false;
    limit -= size;
    if (bytes_.size() < stream) bytes_.resize(stream);
    if (!in.text(size, bytes_[stream - 1].in)) return false;
  }
  return in.at_end();
}

}  // namespace jfr::archive
