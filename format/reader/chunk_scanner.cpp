// SPDX-License-Identifier: Apache-2.0
#include "format/reader/chunk_scanner.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>
#include <utility>

#include "format/reader/cursor.h"
#include "format/reader/plausible_chunk.h"

namespace jfr::read {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

bool event_of_type(std::span<const uint8_t> chunk, uint64_t at, uint64_t type) {
  Cursor in(chunk, at);
  const uint64_t size = in.leb();
  return in.leb() == type && in.ok() && size != 0;
}

bool any_event(std::span<const uint8_t> chunk, uint64_t at) {
  Cursor in(chunk, at);
  const uint64_t size = in.leb();
  in.leb();
  return in.ok() && size != 0 && size <= chunk.size();
}

// Of a header that is cut, as a copy may be, and the one behind it.
bool holds_another_header(std::span<const uint8_t> rest) {
  return memmem(rest.data() + 1, kHeaderSize - 1, kChunkMagic.data(), kChunkMagic.size()) != nullptr;
}

bool is_all_there(std::span<const uint8_t> rest, const ChunkHeader& header) {
  return header.size <= rest.size() && event_of_type(rest, header.metadata, kMetadataType) &&
         event_of_type(rest, header.checkpoint, kCheckpointType);
}

}  // namespace

bool is_plausible_chunk(std::span<const uint8_t> rest) {
  const Result<ChunkHeader> parsed = parse_chunk_header(rest, 0);
  if (!parsed || holds_another_header(rest)) return false;
  const ChunkHeader& header = parsed.value();
  if (header.size < kHeaderSize || header.metadata >= header.size || header.checkpoint >= header.size) return false;
  if (header.state == kStateFinished && header.metadata < kHeaderSize) return false;
  if (header.metadata != 0 && header.metadata < rest.size() && !event_of_type(rest, header.metadata, kMetadataType))
    return false;
  if (header.checkpoint != 0 && header.checkpoint < rest.size() &&
      !event_of_type(rest, header.checkpoint, kCheckpointType))
    return false;
  return rest.size() == kHeaderSize || any_event(rest, kHeaderSize);
}

bool is_header_copy(std::span<const uint8_t> file, uint64_t at) {
  const Result<ChunkHeader> parsed = parse_chunk_header(file.subspan(at), 0);
  if (!parsed || at == 0 || file[at - 1] != kHeaderSize) return false;
  const ChunkHeader& header = parsed.value();
  const uint64_t length = header.size - header.checkpoint, end = at + kHeaderSize;
  if (header.checkpoint >= header.size || length <= kHeaderSize || length > end) return false;
  Cursor holder(file, end - length);
  const bool held = holder.leb() == length && holder.leb() == kCheckpointType && holder.ok();
  return held && !is_all_there(file.subspan(at), header);
}

void ChunkScanner::go_on(std::span<const uint8_t> stretch, uint64_t offset, bool alone) {
  assert(at_ == file_.size() && "a stretch is read to its end before the next one");
  file_ = stretch;
  base_ = offset;
  alone_ = alone;
  at_ = 0;
}

std::optional<ChunkExtent> ChunkScanner::next() {
  while (at_ < file_.size()) {
    const Result<ChunkHeader> header = parse_chunk_header(file_.subspan(at_), base_ + at_);
    if (header) {
      ChunkExtent extent = extent_of(header.value());
      assert(extent.size > 0 && extent.size <= file_.size() - at_ && "the scan goes on, and stays in the file");
      after_unfinished_ = header.value().state != kStateFinished;
      at_ += extent.size;
      return extent;
    }
    const uint64_t resume = next_header(at_ + 1, file_.size());
    if (header.error().code == ErrorCode::kUsage)
      note_version(header.error(), resume);
    else if (!after_unfinished_)
      note_gap(at_, resume);
    after_unfinished_ = false;
    at_ = resume;
  }
  return std::nullopt;
}

ChunkExtent ChunkScanner::extent_of(const ChunkHeader& header) {
  const uint64_t available = file_.size() - at_;
  ChunkExtent extent{base_ + at_, header.size, header, true};
  // Size 68 with more behind it: the writer died before its first flush.
  const bool nothing_flushed = header.state != kStateFinished && header.size == kHeaderSize;
  if (header.size > available || header.size < kHeaderSize || nothing_flushed) {
    extent.size = next_header(std::min(at_ + kHeaderSize, file_.size()), file_.size()) - at_;
    extent.whole = nothing_flushed && extent.size == kHeaderSize;
    if (!extent.whole)
      problems_.add(Error{
          ErrorCode::kCorrupt, base_ + at_,
          "chunk claims " + std::to_string(header.size) + " bytes, " + std::to_string(extent.size) + " are there"});
  }
  if (extent.whole) {
    // Where something is wrong, it is the size or the next header: a header inside tells that it is the size. A wrong
    // size may end well by chance, at a later chunk or at the end of the file; it then leaves much behind the last
    // checkpoint and metadata, where a good chunk has little to look through.
    const uint64_t from = ends_well(extent.size) ? tail_of(header, extent.size) : kHeaderSize;
    const uint64_t inside = next_header(at_ + from, at_ + extent.size);
    if (inside < at_ + extent.size) {
      extent.size = inside - at_;
      extent.whole = false;
      problems_.add(Error{ErrorCode::kCorrupt, base_ + at_,
                          "chunk claims " + std::to_string(header.size) + " bytes, the next starts after " +
                              std::to_string(extent.size)});
    }
  }
  if (extent.size > kMaxChunkSize) {
    problems_.add(Error{ErrorCode::kLimit, base_ + at_, "chunk is larger than 4 GiB; what is behind that is not read"});
    extent.size = kMaxChunkSize;
    extent.whole = false;
  }
  return extent;
}

// Whether a chunk of that size, at at_, is followed by another one or by nothing.
bool ChunkScanner::ends_well(uint64_t size) const {
  const auto rest = file_.subspan(at_ + size);
  return rest.empty() ||
         (rest.size() >= kChunkMagic.size() && std::equal(kChunkMagic.begin(), kChunkMagic.end(), rest.begin()) &&
          !is_header_copy(file_, at_ + size));
}

// Where that behind the last checkpoint and the metadata starts, in a chunk of that size at at_.
uint64_t ChunkScanner::tail_of(const ChunkHeader& header, uint64_t size) const {
  const auto chunk = file_.subspan(at_, size);
  uint64_t tail = kHeaderSize;
  for (const uint64_t place : {header.checkpoint, header.metadata}) {
    if (place < kHeaderSize || place >= size) continue;
    Cursor in(chunk, place);
    const uint64_t length = in.leb();
    if (in.ok() && length <= size - place) tail = std::max(tail, place + length);
  }
  return tail;
}

uint64_t ChunkScanner::next_header(uint64_t from, uint64_t to) const {
  while (from < to) {
    // One that starts in front of `to` may end behind it: of a chunk that lacks a byte.
    const uint64_t end = std::min<uint64_t>(to + kChunkMagic.size() - 1, file_.size());
    const void* hit = memmem(file_.data() + from, end - from, kChunkMagic.data(), kChunkMagic.size());
    if (hit == nullptr) break;
    const auto at = static_cast<uint64_t>(static_cast<const uint8_t*>(hit) - file_.data());
    if (plausible(at)) return at;
    from = at + 1;
  }
  return to;
}

bool ChunkScanner::plausible(uint64_t at) const {
  return is_plausible_chunk(file_.subspan(at)) && !is_header_copy(file_, at);
}

// A file that is of another version as a whole is none of ours; one chunk of it is damage, at a place.
void ChunkScanner::note_version(Error error, uint64_t resume) {
  if (!alone_ || at_ != 0 || resume != file_.size()) error.code = ErrorCode::kCorrupt;
  problems_.add(std::move(error));
}

void ChunkScanner::note_gap(uint64_t from, uint64_t to) {
  if (alone_ && from == 0 && to == file_.size()) {
    problems_.add(Error{ErrorCode::kCorrupt, 0, file_.empty() ? "is empty" : "not a flight recording"});
    return;
  }
  problems_.add(Error{ErrorCode::kCorrupt, base_ + from, std::to_string(to - from) + " bytes belong to no chunk"});
}

}  // namespace jfr::read
