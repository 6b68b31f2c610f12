// SPDX-License-Identifier: Apache-2.0
// WireBytes puts together the wire forms of JFR for what jrec writes anew: events, checkpoints, metadata. (Recordings
// themselves are written by format/, which never meets a reader.)
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/leb128.h"

namespace jrec {

class WireBytes {
 public:
  void leb(uint64_t value) { base::append_leb(value, bytes_); }
  void padded_leb(uint64_t value, size_t width) { base::append_padded_leb(value, width, bytes_); }
  void u8(uint8_t byte) { bytes_.push_back(byte); }
  void add(std::span<const uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void utf8(std::string_view text) {
    u8(3);
    leb(text.size());
    add({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }

  std::span<const uint8_t> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  void clear() { bytes_.clear(); }

 private:
  std::vector<uint8_t> bytes_;
};

// The size that stands in front of an event of that many bytes behind it, itself included: one byte where it can, else
// four, else eight (as HotSpot's do; some readers know no other lengths).
inline void put_event_size(uint64_t behind, WireBytes& out) {
  const size_t width = behind + 1 < 0x80 ? 1 : behind + 4 < (uint64_t{1} << 28) ? 4 : 8;
  out.padded_leb(behind + width, width);
}

}  // namespace jrec
