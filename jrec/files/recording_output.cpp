// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/recording_output.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "base/file_io.h"
#include "format/header_layout.h"
#include "jrec/base/inputs.h"
#include "jrec/input/scratch_file.h"
#include "recover/files.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;

constexpr size_t kBufferBytes = 1 << 20;

template <size_t N>
std::array<uint8_t, N> big_endian(uint64_t value) {
  std::array<uint8_t, N> bytes{};
  for (size_t i = N; i-- > 0; value >>= 8) bytes[i] = static_cast<uint8_t>(value);
  return bytes;
}

constexpr const char* kStandardOutput = "-";

Status write_at(int fd, uint64_t at, std::span<const uint8_t> bytes) {
  if (!base::write_all_at(fd, bytes.data(), bytes.size(), at)) return system_error("cannot write");
  return base::Done{};
}

}  // namespace

Result<RecordingOutput> RecordingOutput::create(const std::string& target, std::span<const std::string> inputs) {
  for (const std::string& input : inputs)
    if (target != kStandardOutput && rec::same_file(input, target)) return Error{ErrorCode::kUsage, 0, kInputIsKept};
  RecordingOutput out;
  out.buffer_.reserve(kBufferBytes);
  if (target != kStandardOutput) {
    out.file_ = std::make_unique<OutputFile>(target);
    if (out.file_->fd() < 0) return system_error("cannot make", target);
    if (out.file_->is_new()) return out;
  }
  Result<base::Descriptor> scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  out.scratch_ = std::move(*scratch);
  return out;
}

// Where it is put together.
int RecordingOutput::fd() const { return scratch_ ? scratch_.fd() : file_->fd(); }

void RecordingOutput::begin_chunk(std::span<const uint8_t> header) { start(header); }

void RecordingOutput::start(std::span<const uint8_t> header) {
  assert(header.size() == jfr::kHeaderSize && "a chunk begins with its whole header");
  chunk_at_ = size();
  ++chunks_;
  add(header);
  flags_ = static_cast<uint16_t>((header[jfr::kFlagsOffset] << 8 | header[jfr::kFlagsOffset + 1]) & ~jfr::kFlagFinal);
  put(chunk_at_ + jfr::kFlagsOffset, big_endian<2>(flags_));
  put(chunk_at_ + jfr::kStateOffset, big_endian<1>(jfr::kStateFinished));
}

void RecordingOutput::end_chunk(const Places& places) {
  assert(chunks_ > 0 && "begin_chunk() comes first");
  put(chunk_at_ + jfr::kSizeOffset, big_endian<8>(chunk_size()));
  put(chunk_at_ + jfr::kCheckpointOffset, big_endian<8>(places.checkpoint));
  put(chunk_at_ + jfr::kMetadataOffset, big_endian<8>(places.metadata));
}

void RecordingOutput::add_chunk(std::span<const uint8_t> chunk) {
  start(chunk.first(jfr::kHeaderSize));
  add(chunk.subspan(jfr::kHeaderSize));
  put(chunk_at_ + jfr::kSizeOffset, big_endian<8>(chunk_size()));
}

void RecordingOutput::add(std::span<const uint8_t> bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() <= kBufferBytes) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return;
  }
  if (status_) fail(write_at(fd(), written_, bytes));
  written_ += bytes.size();
}

void RecordingOutput::flush() {
  if (status_ && !buffer_.empty()) fail(write_at(fd(), written_, buffer_));
  written_ += buffer_.size();
  buffer_.clear();
}

// A chunk's header is in the buffer as a whole, or in the file.
void RecordingOutput::put(uint64_t at, std::span<const uint8_t> bytes) {
  assert(at + bytes.size() <= size() && "put() writes over what is there");
  if (at >= written_) {
    std::copy(bytes.begin(), bytes.end(), buffer_.begin() + static_cast<ptrdiff_t>(at - written_));
    return;
  }
  if (status_) fail(write_at(fd(), at, bytes));
}

void RecordingOutput::fail(const Status& status) {
  if (!status) status_ = status;
}

Status RecordingOutput::commit() {
  if (chunks_ > 0) put(chunk_at_ + jfr::kFlagsOffset, big_endian<2>(static_cast<uint16_t>(flags_ | jfr::kFlagFinal)));
  flush();
  if (!status_) return status_;
  if (scratch_) return hand_over();
  // It lasts through a power cut.
  if (::fdatasync(fd()) != 0 || !file_->commit()) return system_error("cannot write");
  return base::Done{};
}

Status RecordingOutput::hand_over() {
  if (!copy_all(scratch_.fd(), file_ ? file_->fd() : STDOUT_FILENO))
    return system_error("cannot hand over what was put together");
  return base::Done{};
}

}  // namespace jrec
