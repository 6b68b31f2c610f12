// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/recording_output.h"

#include <fcntl.h>
#include <sys/stat.h>
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

bool is_special(const std::string& target) {
  struct stat status {};
  return target == "-" ||
         (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

Status write_at(int fd, uint64_t at, std::span<const uint8_t> bytes) {
  if (::lseek(fd, static_cast<off_t>(at), SEEK_SET) < 0) return system_error("cannot write");
  return write_all(fd, bytes);
}

}  // namespace

Result<RecordingOutput> RecordingOutput::create(const std::string& target, std::span<const std::string> inputs) {
  RecordingOutput out;
  out.target_ = target;
  out.buffer_.reserve(kBufferBytes);
  if (is_special(target)) {
    Result<base::Descriptor> scratch = make_scratch_file();
    if (!scratch) return scratch.error();
    out.scratch_ = std::move(*scratch);
    return out;
  }
  for (const std::string& input : inputs)
    if (rec::same_file(input, target)) return Error{ErrorCode::kUsage, 0, kInputIsKept};
  Result<rec::RecoveredFile> file = rec::RecoveredFile::create(target);
  if (!file) return file.error();
  out.file_.emplace(std::move(*file));
  return out;
}

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
  if (status_) fail(file_ ? file_->add(bytes) : write_at(scratch_.fd(), written_, bytes));
  written_ += bytes.size();
}

void RecordingOutput::flush() {
  if (status_ && !buffer_.empty()) fail(file_ ? file_->add(buffer_) : write_at(scratch_.fd(), written_, buffer_));
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
  if (status_) fail(file_ ? file_->put(at, bytes) : write_at(scratch_.fd(), at, bytes));
}

void RecordingOutput::fail(const Status& status) {
  if (!status) status_ = status;
}

Status RecordingOutput::commit() {
  if (chunks_ > 0) put(chunk_at_ + jfr::kFlagsOffset, big_endian<2>(static_cast<uint16_t>(flags_ | jfr::kFlagFinal)));
  flush();
  if (!status_) return status_;
  return file_ ? file_->commit(rec::RecoveredFile::Replaces::kAnything) : hand_over();
}

Status RecordingOutput::hand_over() {
  base::Descriptor opened;
  if (target_ != "-") opened = base::Descriptor(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
  const int to = target_ == "-" ? STDOUT_FILENO : opened.fd();
  if (to < 0) return system_error("cannot open");
  if (::lseek(scratch_.fd(), 0, SEEK_SET) < 0) return system_error("cannot read what was put together");
  buffer_.resize(kBufferBytes);
  while (true) {
    const ssize_t got = base::read_some(scratch_.fd(), buffer_.data(), buffer_.size());
    if (got < 0) return system_error("cannot read what was put together");
    if (got == 0) return base::Done{};
    if (Status written = write_all(to, {buffer_.data(), static_cast<size_t>(got)}); !written) return written;
  }
}

}  // namespace jrec
