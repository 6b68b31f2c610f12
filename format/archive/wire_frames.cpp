// SPDX-License-Identifier: Apache-2.0
#include "format/archive/wire_frames.h"

#include <algorithm>
#include <cstring>

#include "base/leb_word.h"
#include "format/reader/cursor.h"

namespace jfr::archive {
namespace {

uint64_t word_at(const uint8_t* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Integers as a frame, with a block in front.
class MadeFrame {
 public:
  explicit MadeFrame(const StackFrame& frame) {
    uint8_t* to = &bytes_[kFrameBlock];
    for (const uint64_t field : frame) to = base::put_leb(field, to);
    size_ = static_cast<size_t>(to - &bytes_[kFrameBlock]);
  }
  std::span<const uint8_t> bytes() const { return std::span(bytes_).subspan(kFrameBlock, size_); }

 private:
  std::array<uint8_t, kFrameBlock + (std::tuple_size_v<StackFrame> + 1) * base::kLebMostBytes> bytes_{};
  size_t size_ = 0;
};

}  // namespace

size_t WireFrames::ShortHash::operator()(const ShortKey& key) const {
  __extension__ using Product = unsigned __int128;
  const Product product = Product{key.front ^ seed} * (key.back ^ ~seed * 0x9E3779B97F4A7C15u);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

size_t WireFrames::LongHash::operator()(const StackFrame& frame) const {
  size_t hash = 0;
  for (const uint64_t field : frame) hash = by_key(hash ^ field);
  return hash;
}

WireFrames::WireFrames() : frames_(1) {}

size_t WireFrames::place_of(const Block& block) { return word_at(block.data() + 8); }

uint32_t WireFrames::append(std::span<const uint8_t> bytes) {
  Block& block = frames_.emplace_back();
  if (bytes.size() < kFrameBlock) {
    std::ranges::copy_backward(bytes, block.end());
    block[0] = static_cast<uint8_t>(bytes.size());
  } else {
    block[0] = kLong;
    const uint64_t place = long_bytes_.size();
    std::memcpy(block.data() + 8, &place, sizeof place);
    long_bytes_.emplace_back(bytes.begin(), bytes.end());
  }
  return size() - 1;
}

WireFrames::Found WireFrames::find_or_add(std::span<const uint8_t> bytes) {
  if (bytes.size() >= kFrameBlock) {
    const auto found = long_.find_or_add(fields_of(bytes), size());
    if (found.is_new) append(bytes);
    return {found.value, found.is_new};
  }
  const uint8_t* const block = bytes.data() + bytes.size() - kFrameBlock;
  const size_t besides = 8 * (kFrameBlock - bytes.size());  // bits
  ShortKey key{word_at(block), word_at(block + 8)};
  key.front = besides >= 64 ? 0 : key.front >> besides << besides;
  if (besides > 64) key.back = key.back >> (besides - 64) << (besides - 64);
  const auto found = short_.find_or_add(key, size());
  if (found.is_new) append(bytes);
  return {found.value, found.is_new};
}

WireFrames::Found WireFrames::find_or_add(const StackFrame& frame) { return find_or_add(MadeFrame(frame).bytes()); }

uint32_t WireFrames::add(const StackFrame& frame) { return append(MadeFrame(frame).bytes()); }

StackFrame WireFrames::fields(uint32_t frame) const { return frame == 0 ? StackFrame() : fields_of(bytes(frame)); }

StackFrame fields_of(std::span<const uint8_t> frame) {
  StackFrame fields;
  read::Cursor in(frame, 0);
  for (uint64_t& field : fields) field = in.leb();
  return fields;
}

}  // namespace jfr::archive
