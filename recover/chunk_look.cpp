// SPDX-License-Identifier: Apache-2.0
#include "recover/chunk_look.h"

#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/file_io.h"
#include "base/result.h"
#include "format/reader/chunk_header.h"
#include "format/reader/event_walk.h"
#include "format/type_ids.h"

namespace rec {
namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using jfr::TypeId;
using jfr::read::Cursor;
using jfr::read::EventFault;
using jfr::read::kLongestEventHead;

constexpr size_t kWindowBytes = 64u << 10;

// The heads of events, through a window that moves over the file.
class Heads {
 public:
  Heads(int fd, uint64_t end) : fd_(fd), end_(end), window_(kWindowBytes) {}

  // The event at that place, whose offsets count from there. False: there is none.
  bool read(uint64_t at, jfr::read::Event& event) {
    const uint8_t* bytes = look(at);
    if (!bytes) return false;
    Cursor in({bytes, std::min(kLongestEventHead, end_ - at)}, 0);
    return read_event_head(in, end_ - at, event) == EventFault::kNone;
  }

 private:
  const uint8_t* look(uint64_t at) {
    const uint64_t needed = std::min(kLongestEventHead, end_ - at);
    if (at >= from_ && at + needed <= from_ + filled_) return window_.data() + (at - from_);
    from_ = at;
    filled_ = std::min<uint64_t>(window_.size(), end_ - at);
    if (base::read_all_at(fd_, window_.data(), filled_, from_)) return window_.data();
    filled_ = 0;
    return nullptr;
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
  for (jfr::read::Event event; at < end; at += event.size) {
    if (!heads.read(at, event)) return damaged(at, path, "no event starts here");
    if (is(event.type_id, TypeId::kRecFiller) && at + event.size == end) break;
    if (is(event.type_id, TypeId::kCheckpoint)) look.checkpoint = at;
    look.samples += is(event.type_id, TypeId::kExecutionSample) || is(event.type_id, TypeId::kCpuTimeSample);
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
  const Result<jfr::read::ChunkHeader> header = jfr::read::parse_chunk_header(look.header, 0);
  if (!header) return damaged(0, path, "is no chunk");
  if (header->state != jfr::kStateFinished) return damaged(jfr::kStateOffset, path, "is not finished");
  if (header->size != size) return damaged(jfr::kSizeOffset, path, "has another size");
  if (Status walked = walk(look, size, path); !walked) return walked.error();
  if (look.checkpoint == 0 || header->metadata >= look.used)
    return damaged(jfr::kMetadataOffset, path, "has no metadata or no constants");
  // Of a segment that was not committed: its constants lie in the filler.
  if (header->checkpoint < look.used) look.checkpoint = header->checkpoint;
  look.start_unix_ns = header->start_ns;
  return look;
}

Status add_chunk(RecoveredFile& to, const ChunkLook& chunk, bool last) {
  assert(chunk.used >= jfr::kHeaderSize && chunk.checkpoint < chunk.used && "look_at_chunk() has found it whole");
  HeaderBytes header = chunk.header;
  put_big_endian(header, jfr::kSizeOffset, chunk.used);
  put_big_endian(header, jfr::kCheckpointOffset, chunk.checkpoint);
  header[jfr::kFlagsOffset + 1] = jfr::kFlagCompressed | (last ? jfr::kFlagFinal : 0);
  if (Status added = to.add(header); !added) return added;
  return to.add(chunk.file.fd(), jfr::kHeaderSize, chunk.used - jfr::kHeaderSize);
}

}  // namespace rec
