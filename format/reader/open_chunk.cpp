// SPDX-License-Identifier: Apache-2.0
#include "format/reader/open_chunk.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/file_io.h"
#include "format/reader/chunk_header.h"
#include "format/reader/cursor.h"
#include "format/type_ids.h"

namespace jfr::read {
namespace {

constexpr int kMostCopies = 100;
constexpr int kMostEvents = 4;  // behind the last checkpoint and the metadata: a checksum, and the filler

using Header = std::array<uint8_t, kHeaderSize>;

bool ends_with_filler(std::span<const uint8_t> file, const ChunkHeader& header) {
  uint64_t at = std::max(header.checkpoint, header.metadata);
  for (int i = 0; i < kMostEvents && at >= kHeaderSize && at < file.size(); ++i) {
    Cursor in(file, at);
    const uint64_t size = in.leb(), type = in.leb();
    if (!in.ok() || size == 0 || size > file.size() - at) return false;
    if (type == static_cast<uint64_t>(TypeId::kRecFiller)) return at + size == file.size();
    at += size;
  }
  return false;
}

}  // namespace

bool is_open_chunk(std::span<const uint8_t> file) {
  Header before{};
  if (file.size() <= before.size()) return false;
  std::memcpy(before.data(), file.data(), before.size());
  const base::Result<ChunkHeader> header = parse_chunk_header(before, 0);
  if (!header || header->size != file.size() || header->state != kStateFinished) return false;
  return ends_with_filler(file, *header) || std::memcmp(before.data(), file.data(), before.size()) != 0;
}

base::Result<std::vector<uint8_t>> copy_at_rest(int fd, size_t size) {
  std::vector<uint8_t> copy(size);
  Header before{}, after{};
  for (int i = 0; i < kMostCopies; ++i) {
    if (!base::read_all_at(fd, before.data(), before.size(), 0) ||
        !base::read_all_at(fd, copy.data(), copy.size(), 0) || !base::read_all_at(fd, after.data(), after.size(), 0))
      return base::system_error("cannot read");
    if (before == after && std::equal(before.begin(), before.end(), copy.begin())) break;
  }
  return copy;
}

}  // namespace jfr::read
