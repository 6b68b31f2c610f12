// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/assemble.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <memory>

#include "base/file_io.h"
#include "base/private_directory.h"
#include "base/result.h"

namespace rec {

using base::Place;
using base::Result;

namespace {

constexpr off_t kFlagsOffset = 66;                       // of a chunk's header
constexpr uint8_t kCompressedAndFinal[] = {0x00, 0x03};  // big-endian: compressed integers, final chunk

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
                            static_cast<uint64_t>(chunk + kFlagsOffset));
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

// A link that was planted since would be replaced and not followed; but then somebody plays with the name, and the
// chunks are safer where they are.
Status check_name(const Place& recording) {
  struct stat st {};
  if (fstatat(recording.directory.fd(), recording.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return base::Done{};
  if (!S_ISLNK(st.st_mode)) return base::Done{};
  return base::Error{base::ErrorCode::kUsage, 0, recording.path + " is a symbolic link, which is not followed"};
}

// So that the new name survives a power cut as well; best effort.
void sync_directory(const Place& recording) {
  const base::Descriptor directory(openat(recording.directory.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) fsync(directory.fd());
}

Status rename_to(int from_directory, const char* from, const Place& recording) {
  if (Status plain = check_name(recording); !plain) return plain;
  if (renameat(from_directory, from, recording.directory.fd(), recording.name.c_str()) != 0)
    return base::system_error("cannot make", recording.path);
  sync_directory(recording);
  return base::Done{};
}

Status write_temporary(const std::vector<std::string>& chunks, const Place& temporary, const Place& recording) {
  Result<base::Descriptor> to = base::make_private_file(temporary);
  if (!to) return to.error();
  Status status = copy_chunks(chunks, to->fd(), recording.path);
  if (status) status = rename_to(temporary.directory.fd(), temporary.name.c_str(), recording);
  if (!status) unlinkat(temporary.directory.fd(), temporary.name.c_str(), 0);
  return status;
}

}  // namespace

Status assemble(const std::vector<std::string>& chunks, const std::string& filename) {
  if (chunks.empty()) return base::Error{base::ErrorCode::kUsage, 0, "there is no chunk to make " + filename + " of"};
  Result<Place> recording = base::open_place(filename);
  if (!recording) return recording.error();
  Result<Place> temporary = base::temporary_beside(*recording);
  if (!temporary) return temporary.error();
  return write_temporary(chunks, *temporary, *recording);
}

bool move_chunk(const std::string& chunk, const std::string& filename) {
  Result<Place> recording = base::open_place(filename);
  return recording && rename_to(AT_FDCWD, chunk.c_str(), *recording);
}

}  // namespace rec
