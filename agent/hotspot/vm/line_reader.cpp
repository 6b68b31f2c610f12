// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/line_reader.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/vm/scopes.h"
#include "recorder/spool/line_table.h"

namespace rec::agent {
namespace {

constexpr uint8_t kEnd = 0;
constexpr uint8_t kEscape = 0xff;

}  // namespace

LineReader::LineReader(const Layout& layout, uint64_t const_method) : excess_(layout.unsigned5_excess) {
  at_ = line_table_of(layout, const_method);
  if (at_ == 0) return;
  const uint64_t end = end_of_const_method(layout, const_method);
  end_ = end < at_ + kMostBytes ? end : at_ + kMostBytes;
}

bool LineReader::next_byte(uint8_t& byte) { return at_ < end_ && load8(at_++, byte); }

bool LineReader::next_signed(int32_t& value) {
  uint32_t sum = 0;
  if (!read_unsigned5(at_, excess_, sum) || at_ > end_) return false;
  value = static_cast<int32_t>((sum >> 1) ^ (0u - (sum & 1)));
  return true;
}

bool LineReader::next(Entry& entry) {
  uint8_t byte = 0;
  const bool read = next_byte(byte);
  ended_ = ended_ || (read && byte == kEnd);
  if (!read || byte == kEnd) return at_ = end_, false;
  int32_t bci_step = byte >> 3, line_step = byte & 7;
  if (byte == kEscape && !(next_signed(bci_step) && next_signed(line_step))) return at_ = end_, false;
  bci_ += static_cast<uint32_t>(bci_step);
  line_ += static_cast<uint32_t>(line_step);
  entry = {static_cast<int32_t>(bci_), static_cast<int32_t>(line_)};
  return true;
}

uint32_t measure_lines(const Layout& layout, uint64_t const_method) {
  LineReader lines(layout, const_method);
  LineTableWriter counted;
  for (LineReader::Entry entry; lines.next(entry);)
    if (!counted.add(entry.bci, entry.line)) return 0;
  return lines.at_end_marker() ? counted.size() : 0;
}

bool write_lines(const Layout& layout, uint64_t const_method, std::span<uint8_t> to) {
  LineReader lines(layout, const_method);
  LineTableWriter written(to);
  for (LineReader::Entry entry; written.size() < to.size();)
    if (!lines.next(entry) || !written.add(entry.bci, entry.line)) return false;
  return true;
}

}  // namespace rec::agent
