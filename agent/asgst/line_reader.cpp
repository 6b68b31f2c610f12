// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/line_reader.h"

#include "agent/hotspot/safe_load.h"

namespace rec::agent::asgst {
namespace {

constexpr uint8_t kEnd = 0;
constexpr uint8_t kEscape = 0xff;
constexpr uint8_t kFirstHigh = 192;  // of the bytes as they are stored: 192 + 0 to 19, 191 + 1 from 20 on
constexpr unsigned kBitsPerByte = 6;
constexpr unsigned kMaxBytes = 5;

}  // namespace

LineReader::LineReader(const Layout& layout, const MethodView& method) : excess_(layout.unsigned5_excess) {
  const uint64_t at = method.const_method;
  if ((half_at(at + layout.const_method_flags) & layout.const_method_has_lines) == 0) return;
  at_ = at + layout.const_method_header + short_at(at + layout.const_method_code_size);
  end_ = at + uint64_t{half_at(at + layout.const_method_size)} * 8;
}

bool LineReader::next_byte(uint8_t& byte) { return at_ < end_ && load8(at_++, byte); }

bool LineReader::next_signed(int32_t& value) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < kMaxBytes; ++i) {
    uint8_t byte = 0;
    if (!next_byte(byte)) return false;
    sum += (byte - excess_) << (kBitsPerByte * i);
    if (byte < kFirstHigh) break;
  }
  value = static_cast<int32_t>((sum >> 1) ^ (0u - (sum & 1)));
  return true;
}

bool LineReader::next(Entry& entry) {
  uint8_t byte = 0;
  if (!next_byte(byte) || byte == kEnd) return at_ = end_, false;
  int32_t bci_step = byte >> 3, line_step = byte & 7;
  if (byte == kEscape && !(next_signed(bci_step) && next_signed(line_step))) return at_ = end_, false;
  bci_ += static_cast<uint32_t>(bci_step);
  line_ += static_cast<uint32_t>(line_step);
  entry = {static_cast<int32_t>(bci_), static_cast<int32_t>(line_)};
  return true;
}

}  // namespace rec::agent::asgst
