// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/assemble.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "base/file_io.h"
#include "base/new_file.h"
#include "base/private_directory.h"
#include "base/result.h"
#include "format/header_layout.h"

namespace rec {

using base::NewFile;
using base::Place;

namespace {

constexpr uint8_t kCompressedAndFinal[] = {0x00, jfr::kFlagCompressed | jfr::kFlagFinal};  // big-endian

// From the file offset of `from` to its end, without copy_file_range, which not every pair of file systems knows.
bool copy_by_hand(int from, int to) {
  constexpr size_t kPiece = 256u << 10;
  const std::unique_ptr<char[]> piece(new char[kPiece]);
  for (;;) {
    const ssize_t n = base::read_some(from, piece.get(), kPiece);
    if (n <= 0) return n == 0;
    if (!base::write_all(to, piece.get(), static_cast<size_t>(n))) return false;
  }
}

bool copy_to_end(int from, int to) {
  for (;;) {
    const ssize_t n = copy_file_range(from, nullptr, to, nullptr, size_t{1} << 30, 0);
    if (n > 0) continue;
    // 0 is the end, or a file system that cannot; both offsets stand where the last whole step ended.
    return copy_by_hand(from, to);
  }
}

bool mark_final(int to, off_t chunk) {
  return base::write_all_at(to, kCompressedAndFinal, sizeof kCompressedAndFinal,
                            static_cast<uint64_t>(chunk) + jfr::kFlagsOffset);
}

Status copy_chunks(const std::vector<std::string>& chunks, int to, const std::string& filename) {
  off_t last_start = 0;
  for (const std::string& chunk : chunks) {
    last_start = lseek(to, 0, SEEK_CUR);
    const base::Descriptor from(open(chunk.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!from) return base::system_error("cannot read the chunk", chunk);
    if (!copy_to_end(from.fd(), to)) return base::system_error("cannot write", filename);
  }
  if (!mark_final(to, last_start) || fdatasync(to) != 0) return base::system_error("cannot write", filename);
  return base::Done{};
}

Result<std::string> write_file(const std::vector<std::string>& chunks, NewFile& file, Replaces replaces) {
  const Place& recording = file.place();
  if (Status copied = copy_chunks(chunks, file.fd(), recording.path); !copied) return copied.error();
  // A link that was planted since would be replaced and not followed; but then somebody plays with the name, and the
  // chunks are safer where they are.
  if (Status plain = base::check_plain(recording); !plain) return plain.error();
  return file.commit_beside(replaces);
}

}  // namespace

Result<std::string> assemble(const std::vector<std::string>& chunks, const std::string& filename, Replaces replaces) {
  if (chunks.empty()) return base::Error{base::ErrorCode::kUsage, 0, "there is no chunk to make " + filename + " of"};
  Result<Place> recording = base::open_place(filename);
  if (!recording) return recording.error();
  Result<NewFile> file = NewFile::make(std::move(*recording));
  if (!file) return file.error();
  Result<std::string> path = write_file(chunks, *file, replaces);
  if (path) base::sync_directory(file->place());
  return path;
}

Status copy_chunk(const std::string& chunk, const std::string& to) {
  const base::Descriptor from(open(chunk.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!from) return base::system_error("cannot read the chunk", chunk);
  const base::Descriptor made(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!made || !copy_to_end(from.fd(), made.fd())) return base::system_error("cannot write", to);
  return base::Done{};
}

Result<std::string> move_chunk(const std::string& chunk, const std::string& filename, Replaces replaces) {
  Result<Place> recording = base::open_place(filename);
  if (!recording) return recording.error();
  if (Status plain = base::check_plain(*recording); !plain) return plain.error();
  Result<std::string> path = base::rename_beside(AT_FDCWD, chunk, *recording, replaces);
  if (path) base::sync_directory(*recording);
  return path;
}

}  // namespace rec
