// SPDX-License-Identifier: Apache-2.0
#include "format/archive/end_content.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include "format/archive/parity.h"

namespace jfr::archive {
namespace {

constexpr std::array<std::string_view, 3> kMagic = {"RECZ-END", "RECZ-FIN", "RECZ-EOF"};  // by EndTail

}  // namespace

bool is_archive_tail(std::span<const uint8_t> bytes) {
  if (bytes.size() < kEndTail) return false;
  const auto last = bytes.last(kMagic[0].size());
  const std::string_view magic(reinterpret_cast<const char*>(last.data()), last.size());
  return std::ranges::find(kMagic, magic) != kMagic.end();
}

std::vector<uint8_t> write_end(const EndContent& end, uint64_t at, EndTail tail) {
  assert(end.previous < at && end.table < at && "an END tells how far back the one before is, and its table");
  std::vector<uint8_t> out;
  append_back_or_none(at, end.previous, out);
  append_varint(end.members.size(), out);
  for (const uint64_t member : end.members) append_varint(at - member, out);
  append_metadata(end.metadata, at, out);
  append_varint(end.band / kBlockBytes, out);
  if (end.table != 0) append_varint(at - end.table, out);
  append64(at, out);
  const std::string_view magic = kMagic[static_cast<size_t>(tail)];
  out.insert(out.end(), magic.begin(), magic.end());
  return out;
}

bool read_end(std::span<const uint8_t> content, uint64_t at, EndContent& end) {
  size_t cursor = 0;
  uint64_t count = 0;
  if (!take_back_or_none(content, cursor, at, end.previous)) return false;
  if (!take_varint(content, cursor, count) || count > content.size()) return false;
  for (end.members.resize(count); uint64_t & member : end.members)
    if (!take_back(content, cursor, at, member)) return false;
  if (!take_metadata(content, cursor, at, end.metadata)) return false;
  uint64_t block = 0, own = 0;
  if (!take_varint(content, cursor, block) || block > at / kBlockBytes) return false;
  end.band = block * kBlockBytes;
  if (content.size() - cursor > kEndTail && !take_back(content, cursor, at, end.table)) return false;
  return content.size() - cursor == kEndTail && is_archive_tail(content) && take64(content, cursor, own) && own == at;
}

}  // namespace jfr::archive
