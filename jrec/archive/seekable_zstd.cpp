// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/seekable_zstd.h"

#include "format/archive/zstd_frame.h"

namespace jrec {
namespace {

constexpr uint32_t kSkippable = 0x184D2A5E, kSeekable = 0x8F92EAB1;
constexpr uint64_t kLargestFrame = 1u << 30;

void append_u32(uint32_t value, std::vector<uint8_t>& out) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

}  // namespace

std::vector<uint8_t> SeekableZstd::frame(std::span<const uint8_t> content) {
  std::vector<uint8_t> frame;
  if (content.size() > kLargestFrame) return {};
  jfr::archive::append_zstd(content, level_, {}, frame);
  sizes_.emplace_back(static_cast<uint32_t>(frame.size()), static_cast<uint32_t>(content.size()));
  return frame;
}

std::vector<uint8_t> SeekableZstd::seek_table() const {
  std::vector<uint8_t> entries;
  for (const auto& [compressed, content] : sizes_) {
    append_u32(compressed, entries);
    append_u32(content, entries);
  }
  append_u32(static_cast<uint32_t>(sizes_.size()), entries);
  entries.push_back(0);  // no checksums
  append_u32(kSeekable, entries);
  std::vector<uint8_t> table;
  append_u32(kSkippable, table);
  append_u32(static_cast<uint32_t>(entries.size()), table);
  table.insert(table.end(), entries.begin(), entries.end());
  return table;
}

}  // namespace jrec
