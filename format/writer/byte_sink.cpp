// SPDX-License-Identifier: Apache-2.0
#include "format/writer/byte_sink.h"

#include <bit>
#include <cassert>
#include <string>

#include "base/utf8.h"

namespace jfr {

void ByteSink::be16(uint16_t value) {
  u8(static_cast<uint8_t>(value >> 8));
  u8(static_cast<uint8_t>(value));
}

void ByteSink::be32(uint32_t value) {
  be16(static_cast<uint16_t>(value >> 16));
  be16(static_cast<uint16_t>(value));
}

void ByteSink::be64(uint64_t value) {
  be32(static_cast<uint32_t>(value >> 32));
  be32(static_cast<uint32_t>(value));
}

void ByteSink::f32(float value) { be32(std::bit_cast<uint32_t>(value)); }

void ByteSink::text(std::string_view text) {
  if (text.empty()) return u8(1);
  if (!base::is_same_in_utf8(text)) return utf8(base::utf8_of(text));
  utf8(text);
}

void ByteSink::text_head(size_t bytes) {
  u8(bytes == 0 ? 1 : 3);
  if (bytes != 0) leb(bytes);
}

void ByteSink::utf8(std::string_view utf8) {
  text_head(utf8.size());
  raw({reinterpret_cast<const uint8_t*>(utf8.data()), utf8.size()});
}

void ByteSink::raw(std::span<const uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

size_t ByteSink::reserve_size() {
  const size_t at = size();
  leb_padded(0, 4);
  return at;
}

void ByteSink::patch_size(size_t at, uint32_t value) {
  assert(value <= kMaxPaddedSize && "an event must fit four padded bytes");
  assert(at + 4 <= size() && "patch what reserve_size() returned");
  base::put_padded_leb(value, 4, bytes_.data() + at);
}

}  // namespace jfr
