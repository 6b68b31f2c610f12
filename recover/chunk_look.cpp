// SPDX-License-Identifier: Apache-2.0
#include "recover/chunk_look.h"

#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cerrno>

#include "base/file_io.h"
#include "base/result.h"
#include "format/reader/chunk_header.h"
#include "format/segment_sum.h"
#include "format/type_ids.h"
#include "recover/chunk_bytes.h"

namespace rec {
namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using jfr::TypeId;

constexpr uint64_t kMostChunkBytes = uint64_t{1} << 28;  // an event, hence rec.Filler, ends there

bool is(uint64_t type, TypeId id) { return type == static_cast<uint64_t>(id); }

Error damaged(uint64_t at, const char* what) { return Error{ErrorCode::kCorrupt, at, what}; }

class Walk {
 public:
  Walk(ChunkLook& look, uint64_t end) : look_(look), bytes_(look.file.fd(), end), end_(end) {}

  Status run() {
    uint64_t at = jfr::kHeaderSize;
    for (jfr::read::Event event; at < end_; at += event.size) {
      if (!bytes_.read_head(at, event)) return damaged(at, "no event starts here");
      if (is(event.type_id, TypeId::kRecFiller) && at + event.size == end_) break;
      if (Status met = meet(event); !met) return met;
    }
    look_.used = at;
    if (begin_ != at) return damaged(begin_, "there is no checksum of what follows");
    return Done{};
  }

 private:
  Status meet(const jfr::read::Event& event) {
    if (is(event.type_id, TypeId::kRecChecksum)) return check(event);
    if (is(event.type_id, TypeId::kCheckpoint)) look_.checkpoint = event.at;
    look_.samples += is(event.type_id, TypeId::kExecutionSample) || is(event.type_id, TypeId::kCpuTimeSample);
    look_.counted = look_.counted || is(event.type_id, TypeId::kRecCounters);
    return Done{};
  }

  Status check(const jfr::read::Event& event) {
    jfr::SegmentSum sum(begin_);
    if (begin_ == jfr::kHeaderSize) sum.add_header(look_.header);
    const bool read = bytes_.each_piece(begin_, event.at, [&](std::span<const uint8_t> piece) { sum.add(piece); });
    uint64_t ticks = 0, said = 0;
    if (!read || !bytes_.read_numbers(event, ticks, said)) return damaged(event.at, "cannot be read");
    const bool is_older = said == sum.value();  // before the end was in it
    look_.end_ticks = static_cast<int64_t>(ticks);
    sum.add_end(look_.end_ticks);
    if (said != sum.value() && !is_older) ruin(event.at);
    begin_ = event.at + event.size;
    return Done{};
  }

  void ruin(uint64_t checksum_at) {
    const uint64_t from = begin_ == jfr::kHeaderSize ? 0 : begin_;
    const uint64_t bytes = checksum_at - from;
    if (look_.ruined.size() < kMostRuined)
      look_.ruined.push_back(
          Error{ErrorCode::kCorrupt, from,
                "of the next " + std::to_string(bytes) + " bytes some are not those that were written"});
  }

  ChunkLook& look_;
  ChunkBytes bytes_;
  const uint64_t end_;
  uint64_t begin_ = jfr::kHeaderSize;  // of what the next checksum is of
};

}  // namespace

Result<Descriptor> open_chunk(const std::string& path, uint64_t most_bytes) {
  Descriptor file = open_to_read(path);
  if (!file && (errno == EINVAL || errno == ELOOP || errno == ENXIO))
    return Error{ErrorCode::kUsage, 0, "is no plain file, and is not read"};
  struct stat st {};
  if (!file || fstat(file.fd(), &st) != 0) return base::system_error("cannot open");
  if (static_cast<uint64_t>(st.st_size) > most_bytes)
    return Error{ErrorCode::kLimit, 0,
                 "has " + std::to_string(st.st_size) + " bytes, more than a chunk can have, and is not read"};
  return file;
}

Result<ChunkLook> look_at_chunk(const std::string& path) {
  Result<Descriptor> file = open_chunk(path, kMostChunkBytes);
  if (!file) return file.error();
  ChunkLook look;
  look.file = std::move(*file);
  struct stat st {};
  if (fstat(look.file.fd(), &st) != 0) return base::system_error("cannot open");
  const auto size = static_cast<uint64_t>(st.st_size);
  if (size < jfr::kHeaderSize) return damaged(0, "is too short for a chunk");
  if (!base::read_all_at(look.file.fd(), look.header.data(), look.header.size(), 0))
    return base::system_error("cannot read");
  const Result<jfr::read::ChunkHeader> header = jfr::read::parse_chunk_header(look.header, 0);
  if (!header) return damaged(0, "is no chunk");
  if (header->state != jfr::kStateFinished) return damaged(jfr::kStateOffset, "is not finished");
  if (Status walked = Walk(look, size).run(); !walked) return walked.error();
  // The second: its writer died between the two steps of a trim in place.
  if (header->size != size && header->size != look.used) return damaged(jfr::kSizeOffset, "has another size");
  if (look.checkpoint == 0) return damaged(jfr::kCheckpointOffset, "has no constants");
  return look;
}

// What the first checksum does not have of the header follows from the rest: a ruined one is none any more.
Status add_chunk(RecoveredFile& to, const ChunkLook& chunk, bool last) {
  assert(chunk.used >= jfr::kHeaderSize && chunk.checkpoint < chunk.used && "look_at_chunk() has found it whole");
  HeaderBytes header = chunk.header;
  put_big_endian(header, jfr::kSizeOffset, chunk.used);
  put_big_endian(header, jfr::kCheckpointOffset, chunk.checkpoint);
  put_big_endian(header, jfr::kDurationOffset,
                 static_cast<uint64_t>(chunk.end_ticks) - big_endian(header, jfr::kStartTicksOffset));
  header[jfr::kPadOffset] = 0;
  header[jfr::kFlagsOffset] = 0;
  header[jfr::kFlagsOffset + 1] = jfr::kFlagCompressed | (last ? jfr::kFlagFinal : 0);
  if (Status added = to.add(header); !added) return added;
  return to.add(chunk.file.fd(), jfr::kHeaderSize, chunk.used - jfr::kHeaderSize);
}

}  // namespace rec
