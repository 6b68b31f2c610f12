// SPDX-License-Identifier: Apache-2.0
#include "format/writer/chunk_file_io.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/file_io.h"

namespace jfr {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::restarting;
using base::Result;
using base::Status;
using base::system_error;

namespace {

Status done_or_error(bool done, const char* what, const std::string& path) {
  if (done) return Done{};
  return system_error(std::string("cannot ") + what + " " + path, errno);
}

Status copy_by_hand(int from, int to, uint64_t start, uint64_t size, const std::string& to_path) {
  std::array<uint8_t, 16384> buffer;
  while (start < size) {
    const size_t wanted = std::min<uint64_t>(buffer.size(), size - start);
    const ssize_t got = base::read_some_at(from, buffer.data(), wanted, start);
    if (got < 0) return system_error("cannot read what is to be copied to " + to_path, errno);
    if (got == 0)
      return Error{ErrorCode::kCorrupt, start, "the file to be copied to " + to_path + " was cut by somebody"};
    if (Status status = write_at(to, {buffer.data(), static_cast<size_t>(got)}, start, to_path); !status) return status;
    start += static_cast<uint64_t>(got);
  }
  return Done{};
}

Status rename_with(const std::string& from, const std::string& to, unsigned flags) {
  return done_or_error(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0, "rename a chunk to", to);
}

}  // namespace

Result<int> create_private_file(const std::string& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int fd = restarting([&] { return ::open(path.c_str(), kFlags, 0600); });
  if (fd < 0) return system_error("cannot create " + path, errno);
  ::fchmod(fd, 0600);  // the umask may have taken our own rights
  return fd;
}

Status write_at(int fd, std::span<const uint8_t> bytes, uint64_t offset, const std::string& path) {
  return done_or_error(base::write_all_at(fd, bytes.data(), bytes.size(), offset), "write", path);
}

Status allocate(int fd, uint64_t size, const std::string& path) {
  const off_t end = static_cast<off_t>(size);
  if (restarting([&] { return ::fallocate(fd, 0, 0, end); }) == 0) return Done{};
  const bool unsupported = errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL || errno == EPERM;
  const bool too_much = errno == ENOSPC || errno == EDQUOT;
  if (!unsupported && !too_much) return done_or_error(false, "allocate space for", path);
  return done_or_error(restarting([&] { return ::ftruncate(fd, end); }) == 0, "extend", path);
}

Status cut(int fd, uint64_t size, const std::string& path) {
  return done_or_error(restarting([&] { return ::ftruncate(fd, static_cast<off_t>(size)); }) == 0, "trim", path);
}

void give_back_blocks(int fd, uint64_t from, uint64_t to) {
  if (from >= to) return;
  restarting([&] {
    return ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                       static_cast<off_t>(to - from));
  });
}

Status copy_start(int from, int to, uint64_t size, const std::string& to_path) {
  uint64_t done = 0;
  while (done < size) {
    off_t from_offset = static_cast<off_t>(done);
    off_t to_offset = from_offset;
    const ssize_t copied =
        restarting([&] { return ::copy_file_range(from, &from_offset, to, &to_offset, size - done, 0); });
    if (copied < 0 && errno == ENOSPC) return system_error("cannot write " + to_path, ENOSPC);
    if (copied <= 0) return copy_by_hand(from, to, done, size, to_path);  // not between these file systems
    done += static_cast<uint64_t>(copied);
  }
  return Done{};
}

Status sync_data(int fd, const std::string& path) {
  return done_or_error(restarting([&] { return ::fdatasync(fd); }) == 0, "sync", path);
}

Status rename_to_new(const std::string& from, const std::string& to) {
  Status status = rename_with(from, to, RENAME_NOREPLACE);
  const bool unsupported = !status && (status.error().errno_value == EINVAL || status.error().errno_value == ENOSYS);
  if (!unsupported) return status;
  if (::access(to.c_str(), F_OK) == 0) return system_error("cannot rename a chunk to " + to, EEXIST);
  return rename_with(from, to, 0);
}

Status rename_over(const std::string& from, const std::string& to) { return rename_with(from, to, 0); }

}  // namespace jfr
