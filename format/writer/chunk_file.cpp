// SPDX-License-Identifier: Apache-2.0
#include "format/writer/chunk_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/leb128.h"
#include "format/header_layout.h"
#include "format/segment_sum.h"
#include "format/writer/chunk_file_io.h"
#include "format/writer/enumerations.h"
#include "format/writer/metadata.h"

namespace jfr {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

// The bytes whose replacement commits a segment: one aligned machine word.
constexpr size_t kCommitSize = 8;
constexpr uint64_t kAlignment = kCommitSize;
constexpr uint64_t kTicksPerSecond = 1'000'000'000;
constexpr uint64_t kBlockSize = 4096;
constexpr size_t kMostCopied = 64u << 10;  // of a segment's events; more are written from where they are

// Size, type and a start time at its longest are 14 bytes.
constexpr uint64_t kMinFiller = 16;
static_assert(kMinFiller % kAlignment == 0, "what follows a filler is aligned like the filler");

// A size and a type of one byte each, a start time, the sum in five bytes.
constexpr size_t kSumBytes = 5;
constexpr size_t checksum_size(int64_t ticks) { return 2 + base::leb_size(static_cast<uint64_t>(ticks)) + kSumBytes; }
constexpr size_t kMostChecksum = 2 + base::kLebMostBytes + kSumBytes;

// Bytes that a segment may need besides its constants and events: the event to begin with, the checksum, and the
// alignment of its end.
constexpr uint64_t kSegmentExtra = kMinFiller + kMostChecksum + kAlignment - 1;

constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// The head of a filler of `size` bytes; the rest of it is whatever is there.
void encode_filler_head(ByteSink& out, uint64_t size, int64_t ticks) {
  assert(size >= kMinFiller && "remaining() keeps room for a filler");
  const size_t at = out.reserve_size();
  out.leb(static_cast<uint64_t>(TypeId::kRecFiller));
  out.leb_i64(ticks);
  out.patch_size(at, static_cast<uint32_t>(size));
}

void encode_smallest_filler(ByteSink& out, int64_t ticks) {
  const size_t end = out.size() + kMinFiller;
  encode_filler_head(out, kMinFiller, ticks);
  while (out.size() < end) out.u8(0);
}

// Appends a checkpoint that makes `out`, which starts `before` bytes behind an aligned offset, end at one once a checksum
// is behind it.
void encode_aligned(const CheckpointBuilder& constants, ByteSink& out, int64_t ticks, int64_t delta,
                    CheckpointFlag flag, size_t before = 0) {
  ByteSink narrow;
  constants.encode(narrow, ticks, delta, flag);
  const uint64_t end = before + out.size() + narrow.size() + checksum_size(ticks);
  const uint64_t missing = round_up(end, kAlignment) - end;
  assert(missing < kAlignment && "the padding fits the eight bytes that a duration may take");
  if (missing == 0) return out.raw(narrow.bytes());
  constants.encode(out, ticks, delta, flag, 1 + missing);
}

void encode_checksum(ByteSink& out, int64_t ticks, SegmentSum sum) {
  sum.add_end(ticks);
  out.leb(checksum_size(ticks));
  out.leb(static_cast<uint64_t>(TypeId::kRecChecksum));
  out.leb_i64(ticks);
  out.leb_padded(sum.value(), kSumBytes);
}

Error failed_before(const std::string& path) {
  return Error{ErrorCode::kUsage, 0,
               "the chunk " + path + " failed before or is closed, nothing more can be written to it"};
}

}  // namespace

Result<ChunkFile> ChunkFile::create(const std::string& directory, const std::string& name, uint64_t capacity,
                                    ChunkClock clock) {
  if (capacity > kMaxPaddedSize)
    return Error{ErrorCode::kLimit, 0, "a chunk can have at most " + std::to_string(kMaxPaddedSize) + " bytes"};
  ChunkFile chunk;
  chunk.path_ = directory + "/" + name;
  chunk.temporary_ = directory + "/." + name + ".tmp";
  chunk.capacity_ = capacity / kAlignment * kAlignment;
  chunk.clock_ = clock;
  chunk.end_ticks_ = clock.start_ticks;
  ByteSink start = chunk.encode_start();
  const uint64_t needed = start.size() + kMinFiller;
  if (needed > chunk.capacity_)
    return Error{ErrorCode::kUsage, 0, "a chunk needs at least " + std::to_string(needed) + " bytes"};
  encode_filler_head(start, chunk.capacity_ - start.size(), clock.start_ticks);

  Result<int> fd = create_private_file(chunk.temporary_);
  if (!fd) return fd.error();
  chunk.file_ = base::KeptDescriptor(*fd);
  chunk.open_ = true;
  if (Status status = chunk.write_new(start.bytes()); !status) {
    ::unlink(chunk.temporary_.c_str());
    return status.error();
  }
  return chunk;
}

Status ChunkFile::append(const CheckpointBuilder& constants, std::span<const uint8_t> events, int64_t now_ticks) {
  if (failed_ || !open_) return failed_before(path_);
  const uint64_t needed = constants.body_size() + events.size();
  if (needed > remaining())
    return Error{ErrorCode::kLimit, tail_,
                 "a flush of " + std::to_string(needed) + " bytes does not fit the " + std::to_string(remaining()) +
                     " bytes left in " + path_};
  end_ticks_ = std::max(end_ticks_, now_ticks);
  const bool nothing_new = constants.empty() && events.empty();
  Status status = hold();
  if (status)
    status = nothing_new ? write_header(file_.fd(), capacity_) : write_segment(encode_segment(constants, events));
  failed_ = !status;
  return status;
}

// By as much on both clocks, whose relation the first checksum has. A wall clock that was set back holds nothing up.
void ChunkFile::begin_at_latest(int64_t ticks, const ChunkClock& before) {
  if (ticks <= 0 || ticks >= clock_.start_ticks) return;
  int64_t earlier_ns = clock_.start_ticks - std::max(ticks, before.start_ticks);
  const int64_t since_before_ns = clock_.start_unix_ns - before.start_unix_ns;
  if (since_before_ns > 0) earlier_ns = std::min(earlier_ns, since_before_ns);
  if (earlier_ns <= 0 || earlier_ns >= clock_.start_unix_ns) return;
  clock_.start_ticks -= earlier_ns;
  clock_.start_unix_ns -= earlier_ns;
}

uint64_t ChunkFile::remaining() const {
  const uint64_t rest = capacity_ - tail_;
  return rest - std::min(rest, kSegmentExtra + kMinFiller);
}

bool ChunkFile::linked() const { return open_ && file_.is_at(path_); }

Status ChunkFile::hold() {
  if (file_.is_own()) return Done{};
  opened_again_ = file_.open_again(path_, O_RDWR);
  if (opened_again_) return Done{};
  return base::system_error("somebody closed the recorder's descriptor, and it cannot open again", path_);
}

void ChunkFile::move_to(const std::string& directory, const std::string& name) {
  path_ = directory + "/" + name;
  temporary_ = directory + "/." + name + ".tmp";
  moved_ = true;
}

Status ChunkFile::close(int64_t end_ticks, bool final_chunk) {
  if (!open_) return failed_before(path_);
  end_ticks_ = std::max(end_ticks_, end_ticks);
  final_ = final_chunk;
  Status status = hold();
  if (moved_) return status ? finish_elsewhere() : status;
  if (status)
    status = finish();
  else
    untrimmed_ = as_untrimmed();
  release();
  return failed_ ? Status(failed_before(path_)) : status;
}

// The three steps of the header's comment.
Status ChunkFile::write_segment(const Segment& segment) {
  const std::span<const uint8_t> behind = segment.bytes.bytes();
  const std::span<const uint8_t> first = segment.events.empty() ? behind : segment.events;
  assert(first.size() > kCommitSize && "what commits a segment is only its first word");
  assert(tail_ + segment.size() <= capacity_ && "remaining() had promised the room");
  const uint64_t checkpoint_before = last_checkpoint_;
  written_ = tail_ + segment.size();
  Status status = write_at(file_.fd(), first.subspan(kCommitSize), tail_ + kCommitSize, path_);
  if (status && !segment.events.empty()) status = write_at(file_.fd(), behind, tail_ + first.size(), path_);
  last_checkpoint_ = segment.checkpoint_at;
  if (status) status = write_header(file_.fd(), capacity_);
  if (status) status = write_at(file_.fd(), first.first(kCommitSize), tail_, path_);
  if (status)
    tail_ = segment.end;
  else
    last_checkpoint_ = checkpoint_before;  // for a copy: the file's header may name the new one, which is whole then
  return status;
}

ChunkFile::Segment ChunkFile::encode_segment(const CheckpointBuilder& constants,
                                             std::span<const uint8_t> events) const {
  Segment segment;
  ByteSink& out = segment.bytes;
  if (events.size() > kMostCopied) std::swap(segment.events, events);
  out.reserve(constants.body_size() + events.size() + kSegmentExtra + kMinFiller);
  if (events.empty() && segment.events.empty()) encode_smallest_filler(out, end_ticks_);
  out.raw(events);
  segment.checkpoint_at = tail_ + segment.size();
  const int64_t delta = static_cast<int64_t>(last_checkpoint_) - static_cast<int64_t>(segment.checkpoint_at);
  encode_aligned(constants, out, end_ticks_, delta, CheckpointFlag::kFlush, segment.events.size());
  SegmentSum sum(tail_);
  sum.add(segment.events);
  sum.add(out.bytes());
  encode_checksum(out, end_ticks_, sum);
  segment.end = tail_ + segment.size();
  assert(segment.end % kAlignment == 0 && "the next segment's first word is aligned, so one write replaces it");
  encode_filler_head(out, capacity_ - segment.end, end_ticks_);
  return segment;
}

// Header, metadata and enumerations.
ByteSink ChunkFile::encode_start() {
  ByteSink out = encode_header(capacity_);
  metadata_ = out.size();
  encode_metadata(out, clock_.start_ticks, {.gmt_offset_ms = clock_.gmt_offset_ms});
  last_checkpoint_ = out.size();
  encode_aligned(enumerations(), out, clock_.start_ticks, 0, CheckpointFlag::kStatics);

  ByteSink start = encode_header(capacity_);  // again, now that the offsets are known
  SegmentSum sum(kHeaderSize);
  sum.add_header(start.bytes());
  start.raw(out.bytes().subspan(start.size()));
  sum.add(start.bytes().subspan(kHeaderSize));
  encode_checksum(start, clock_.start_ticks, sum);
  tail_ = start.size();
  assert(tail_ % kAlignment == 0 && "the first segment's first word is aligned");
  return start;
}

ByteSink ChunkFile::encode_header(uint64_t chunk_size) const {
  ByteSink out;
  out.raw(kChunkMagic);
  out.be16(kMajorVersion);
  out.be16(kMinorVersion);
  out.be64(chunk_size);
  out.be64(last_checkpoint_);
  out.be64(metadata_);
  out.be64(static_cast<uint64_t>(clock_.start_unix_ns));
  // A tick is a nanosecond. Of a damaged spool the two may be anything.
  out.be64(static_cast<uint64_t>(end_ticks_) - static_cast<uint64_t>(clock_.start_ticks));
  out.be64(static_cast<uint64_t>(clock_.start_ticks));
  out.be64(kTicksPerSecond);
  out.u8(kStateFinished);
  out.u8(0);
  out.be16(final_ ? kFlagCompressed | kFlagFinal : kFlagCompressed);
  assert(out.size() == kHeaderSize && "the header follows header_layout.h");
  return out;
}

Status ChunkFile::write_new(std::span<const uint8_t> start) {
  if (Status status = allocate(file_.fd(), capacity_, temporary_); !status) return status;
  if (Status status = write_at(file_.fd(), start, 0, temporary_); !status) return status;
  return rename_to_new(temporary_, path_);
}

Status ChunkFile::write_header(int fd, uint64_t chunk_size) const {
  return write_at(fd, encode_header(chunk_size).bytes(), 0, path_);
}

// The header first, so that the chunk is complete even where it cannot be trimmed. That of one that failed may name a
// checkpoint that lies in the filler.
Status ChunkFile::finish() {
  Status status = write_header(file_.fd(), capacity_);
  if (status && replace_by_trimmed_copy()) return Done{};
  const Status trimmed = trim_or_leave();
  return status ? trimmed : status;
}

UntrimmedChunk ChunkFile::as_untrimmed() const {
  UntrimmedChunk chunk{path_, capacity_, tail_, {}, {}};
  const ByteSink before = encode_header(capacity_), after = encode_header(tail_);
  std::copy_n(before.bytes().begin(), kHeaderSize, chunk.before.begin());
  std::copy_n(after.bytes().begin(), kHeaderSize, chunk.after.begin());
  return chunk;
}

Status ChunkFile::trim_or_leave() {
  const int fd = file_.fd();
  UntrimmedChunk chunk = as_untrimmed();
  if (chunk.trim(fd)) return sync_data(fd, path_);
  give_back_blocks(fd, round_up(std::max(tail_ + kMinFiller, written_), kBlockSize), capacity_);
  untrimmed_ = std::move(chunk);
  return sync_data(fd, path_);
}

// Only the descriptor still holds what was written: it is kept until the copy stands.
Status ChunkFile::finish_elsewhere() {
  if (Status copied = replace_by_trimmed_copy(); !copied) return copied;
  release();
  return Done{};
}

Status ChunkFile::replace_by_trimmed_copy() {
  Result<int> copy = create_private_file(temporary_);
  if (!copy) return copy.error();
  Status status = write_trimmed_copy(*copy);
  ::close(*copy);
  if (status) status = moved_ ? rename_to_new(temporary_, path_) : rename_over(temporary_, path_);
  if (!status) ::unlink(temporary_.c_str());
  return status;
}

Status ChunkFile::write_trimmed_copy(int to) const {
  if (Status status = copy_start(file_.fd(), to, tail_, temporary_); !status) return status;
  if (Status status = write_header(to, tail_); !status) return status;
  return sync_data(to, temporary_);
}

void ChunkFile::release() {
  file_.reset();
  open_ = false;
}

ChunkFile::ChunkFile(ChunkFile&& other) noexcept { *this = std::move(other); }

ChunkFile& ChunkFile::operator=(ChunkFile&& other) noexcept {
  if (this == &other) return *this;
  release();
  path_ = std::move(other.path_);
  temporary_ = std::move(other.temporary_);
  std::swap(file_, other.file_);
  open_ = std::exchange(other.open_, false);
  opened_again_ = other.opened_again_;
  capacity_ = other.capacity_;
  tail_ = other.tail_;
  written_ = other.written_;
  last_checkpoint_ = other.last_checkpoint_;
  metadata_ = other.metadata_;
  end_ticks_ = other.end_ticks_;
  clock_ = other.clock_;
  final_ = other.final_;
  failed_ = other.failed_;
  moved_ = other.moved_;
  untrimmed_ = std::move(other.untrimmed_);
  return *this;
}

ChunkFile::~ChunkFile() { release(); }

}  // namespace jfr
