// SPDX-License-Identifier: Apache-2.0
#include "format/archive/wire_frames.h"

#include <cstring>

#include "base/leb128.h"
#include "format/reader/cursor.h"

namespace jfr::archive {
namespace {

uint64_t word_at(const uint8_t* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

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

WireFrames::WireFrames() : bytes_(kFrameBlock), ends_{kFrameBlock} {}

uint32_t WireFrames::append(std::span<const uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  ends_.push_back(bytes_.size());
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

WireFrames::Found WireFrames::find_or_add(const StackFrame& frame) {
  std::vector<uint8_t> bytes(kFrameBlock);
  for (const uint64_t field : frame) base::append_leb(field, bytes);
  return find_or_add(std::span<const uint8_t>(bytes).subspan(kFrameBlock));
}

uint32_t WireFrames::add(const StackFrame& frame) {
  for (const uint64_t field : frame) base::append_leb(field, bytes_);
  ends_.push_back(bytes_.size());
  return size() - 1;
}

StackFrame WireFrames::fields(uint32_t frame) const { return frame == 0 ? StackFrame() : fields_of(bytes(frame)); }

StackFrame fields_of(std::span<const uint8_t> frame) {
  StackFrame fields;
  read::Cursor in(frame, 0);
  for (uint64_t& field : fields) field = in.leb();
  return fields;
}

}  // namespace jfr::archive
