// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/perf_data.h"

#include <cstdint>
#include <cstring>

namespace jrec {
namespace {

constexpr std::string_view kMagic = "\xca\xfe\xc0\xc0";
constexpr size_t kOrderOffset = 4;
constexpr size_t kFirstOffset = 24;
constexpr size_t kCountOffset = 28;
constexpr size_t kHeaderSize = 32;
constexpr size_t kEntrySize = 20;
constexpr char kLittleEndian = 1;

uint32_t u32_at(std::string_view bytes, size_t offset) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// What stands from an offset to the next zero byte, or to the end.
std::string_view text_at(std::string_view bytes, uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const std::string_view rest = bytes.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

// One entry with its names and data, no byte beyond.
void read_entry(std::string_view entry, PerfStrings& strings) {
  const uint64_t size = u32_at(entry, 8);
  const uint64_t data = u32_at(entry, 16);
  const std::string_view name = text_at(entry, u32_at(entry, 4));
  if (entry[12] != 'B' || size == 0 || name.empty() || data > entry.size() || size > entry.size() - data) return;
  strings.emplace(name, text_at(entry.substr(0, data + size), data));
}

}  // namespace

PerfStrings read_perf_strings(std::string_view file) {
  PerfStrings strings;
  if (file.size() < kHeaderSize || !file.starts_with(kMagic) || file[kOrderOffset] != kLittleEndian) return strings;
  uint64_t at = u32_at(file, kFirstOffset);
  for (uint32_t left = u32_at(file, kCountOffset); left > 0; --left) {
    if (at > file.size() || file.size() - at < kEntrySize) break;
    const uint64_t length = u32_at(file, at);
    if (length < kEntrySize || length > file.size() - at) break;
    read_entry(file.substr(at, length), strings);
    at += length;
  }
  return strings;
}

}  // namespace jrec
