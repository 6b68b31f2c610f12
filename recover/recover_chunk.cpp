// SPDX-License-Identifier: Apache-2.0
#include "recover/recover_chunk.h"

#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

#include "base/file_io.h"
#include "base/result.h"
#include "format/type_ids.h"

namespace rec {
namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using jfr::TypeId;

constexpr size_t kWindowBytes = 64u << 10;
constexpr size_t kHeadBytes = 16;  // size and type of an event at their longest

uint64_t big_endian(const uint8_t* at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | at[i];
  return value;
}

void put_big_endian(uint8_t* at, uint64_t value) {
  for (int i = 7; i >= 0; --i, value >>= 8) at[i] = static_cast<uint8_t>(value);
}

// The heads of events, through a window that moves over the file.
class Heads {
 public:
  struct Head {
    uint64_t size;
    uint64_t type;
  };
  Heads(int fd, uint64_t end) : fd_(fd), end_(end), window_(kWindowBytes) {}

  bool read(uint64_t at, Head& head) {
    const uint8_t* bytes = look(at);
    if (!bytes) return false;
    const uint8_t* limit = bytes + std::min<uint64_t>(kHeadBytes, end_ - at);
    const uint8_t* start = bytes;
    if (!leb(bytes, limit, head.size) || !leb(bytes, limit, head.type)) return false;
    return head.size >= static_cast<uint64_t>(bytes - start) && head.size <= end_ - at;
  }

 private:
  const uint8_t* look(uint64_t at) {
    const uint64_t needed = std::min<uint64_t>(kHeadBytes, end_ - at);
    if (at >= from_ && at + needed <= from_ + filled_) return window_.data() + (at - from_);
    from_ = at;
    filled_ = std::min<uint64_t>(window_.size(), end_ - at);
    if (base::read_all_at(fd_, window_.data(), filled_, from_)) return window_.data();
    filled_ = 0;
    return nullptr;
  }

  static bool leb(const uint8_t*& at, const uint8_t* limit, uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 35 && at < limit; shift += 7) {
      value |= uint64_t{*at & 0x7Fu} << shift;
      if (*at++ < 0x80) return true;
    }
    return false;
  }

  int fd_;
  uint64_t end_;
  uint64_t from_ = 0;
  uint64_t filled_ = 0;
  std::vector<uint8_t> window_;
};

bool is(uint64_t type, TypeId id) { return type == static_cast<uint64_t>(id); }

Error damaged(uint64_t at, const std::string& path, const char* what) {
  return Error{ErrorCode::kCorrupt, at, path + ": " + what};
}

Status walk(ChunkLook& look, uint64_t end, const std::string& path) {
  Heads heads(look.file.fd(), end);
  uint64_t at = jfr::kHeaderSize;
  for (Heads::Head head{}; at < end; at += head.size) {
    if (!heads.read(at, head)) return damaged(at, path, "no event starts here");
    if (is(head.type, TypeId::kRecFiller) && at + head.size == end) break;
    if (is(head.type, TypeId::kCheckpoint)) look.checkpoint = at;
    look.samples += is(head.type, TypeId::kExecutionSample) || is(head.type, TypeId::kCpuTimeSample);
  }
  look.used = at;
  return Done{};
}

}  // namespace

Result<ChunkLook> look_at_chunk(const std::string& path) {
  ChunkLook look;
  look.file = open_to_read(path);
  struct stat st {};
  if (!look.file || fstat(look.file.fd(), &st) != 0) return base::system_error("cannot open the chunk", path);
  const auto size = static_cast<uint64_t>(st.st_size);
  if (size < jfr::kHeaderSize) return damaged(0, path, "is too short for a chunk");
  if (!base::read_all_at(look.file.fd(), look.header.data(), look.header.size(), 0))
    return base::system_error("cannot read the chunk", path);
  const uint8_t* header = look.header.data();
  if (std::memcmp(header, jfr::kChunkMagic.data(), jfr::kChunkMagic.size()) != 0)
    return damaged(0, path, "is no chunk");
  if (header[jfr::kStateOffset] != jfr::kStateFinished) return damaged(jfr::kStateOffset, path, "is not finished");
  if (big_endian(header + jfr::kSizeOffset) != size) return damaged(jfr::kSizeOffset, path, "has another size");
  if (Status walked = walk(look, size, path); !walked) return walked.error();
  if (look.checkpoint == 0 || big_endian(header + jfr::kMetadataOffset) >= look.used)
    return damaged(jfr::kMetadataOffset, path, "has no metadata or no constants");
  // Of a segment that was not committed: its constants lie in the filler.
  const uint64_t newest = big_endian(header + jfr::kCheckpointOffset);
  if (newest < look.used) look.checkpoint = newest;
  look.start_unix_ns = static_cast<int64_t>(big_endian(header + jfr::kStartNanosOffset));
  return look;
}

Status add_chunk(RecoveredFile& to, const ChunkLook& chunk, bool last) {
  assert(chunk.used >= jfr::kHeaderSize && chunk.checkpoint < chunk.used && "look_at_chunk() has found it whole");
  auto header = chunk.header;
  put_big_endian(header.data() + jfr::kSizeOffset, chunk.used);
  put_big_endian(header.data() + jfr::kCheckpointOffset, chunk.checkpoint);
  header[jfr::kFlagsOffset + 1] = jfr::kFlagCompressed | (last ? jfr::kFlagFinal : 0);
  if (Status added = to.add(header); !added) return added;
  return to.add(chunk.file.fd(), jfr::kHeaderSize, chunk.used - jfr::kHeaderSize);
}

}  // namespace rec
