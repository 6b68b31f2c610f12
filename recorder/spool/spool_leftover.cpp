// SPDX-License-Identifier: Apache-2.0
// Spool::open_leftover. The file is read and never mapped: touching a hole of a tmpfs that is full raises SIGBUS, and
// so does a file that somebody cuts meanwhile. Only what has blocks is read, so memory is bounded by what the file
// really takes.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file_io.h"
#include "base/result.h"
#include "recorder/spool/spool.h"

namespace rec {
namespace {

// Copies what [from, end) of the file holds to the same place of `image`; holes stay untouched zeros.
bool read_data(int fd, std::byte* image, uint64_t from, uint64_t end) {
  while (from < end) {
    const off_t data = lseek(fd, static_cast<off_t>(from), SEEK_DATA);
    if (data < 0 && errno == ENXIO) return true;  // nothing but a hole
    const uint64_t start = data < 0 ? from : static_cast<uint64_t>(data);
    if (start >= end) return true;
    const off_t hole = data < 0 ? -1 : lseek(fd, data, SEEK_HOLE);
    const uint64_t stop = hole < 0 ? end : std::min(end, static_cast<uint64_t>(hole));
    if (!base::read_all_at(fd, image + start, stop - start, start)) return false;
    from = stop;
  }
  return true;
}

base::Error not_a_spool(const std::string& path) {
  return {base::ErrorCode::kCorrupt, 0, path + " is not a spool of this version"};
}

// Before the lock is tried: the owner locks its spool first and writes the magic then, so a spool in the making is
// never disturbed.
Status check_kind(int fd, const std::string& path) {
  struct stat st {};
  if (fstat(fd, &st) != 0) return base::system_error("cannot open the spool", path);
  if (!S_ISREG(st.st_mode) || static_cast<uint64_t>(st.st_size) != kSpoolFileBytes)
    return base::Error{base::ErrorCode::kCorrupt, 0, path + " does not have the size of a spool"};
  std::array<std::byte, sizeof(kSpoolMagic) + sizeof(uint32_t)> head;
  uint32_t version = 0;
  if (!base::read_all_at(fd, head.data(), head.size(), 0)) return base::system_error("cannot read the spool", path);
  std::memcpy(&version, head.data() + kSpoolMagic.size(), sizeof version);
  const bool known = std::memcmp(head.data(), kSpoolMagic.data(), kSpoolMagic.size()) == 0 && version == kSpoolVersion;
  if (!known) return not_a_spool(path);
  return base::Done{};
}

Status lock(int fd, const std::string& path) {
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    return base::Error{base::ErrorCode::kUsage, 0,
                       path + " is locked: its process lives, or another recovery is at work on it"};
  struct stat st {};
  if (fstat(fd, &st) == 0 && st.st_nlink > 0) return base::Done{};
  errno = ENOENT;  // somebody else recovered it just now
  return base::system_error("cannot open the spool", path);
}

bool sane(const SpoolHeader& header) {
  const uint32_t slots = header.log.tail.load(std::memory_order_relaxed);
  const uint32_t units = header.arena.tail.load(std::memory_order_relaxed);
  return header.magic == kSpoolMagic && header.version == kSpoolVersion && slots <= kLogBytes / sizeof(EventSlot) &&
         units <= kArenaBytes / kUnitBytes;
}

}  // namespace

Result<Spool> Spool::open_leftover(const std::string& path) {
  Spool spool;
  spool.fd_ = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (spool.fd_ < 0) return base::system_error("cannot open the spool", path);
  if (Status kind = check_kind(spool.fd_, path); !kind) return kind.error();
  if (Status locked = lock(spool.fd_, path); !locked) return locked.error();
  void* base =
      mmap(nullptr, kSpoolFileBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return base::system_error("no memory for the spool", path);
  spool.base_ = static_cast<std::byte*>(base);
  if (!base::read_all_at(spool.fd_, spool.base_, kSpoolHeaderBytes, 0))
    return base::system_error("cannot read the spool", path);
  const SpoolHeader& header = spool.header();
  if (!sane(header)) return not_a_spool(path);
  const uint64_t log_end = kSpoolLogOffset + uint64_t{header.log.tail.load()} * sizeof(EventSlot);
  const uint64_t arena_end = kSpoolArenaOffset + uint64_t{header.arena.tail.load()} * kUnitBytes;
  const bool whole = read_data(spool.fd_, spool.base_, kSpoolLogOffset, log_end) &&
                     read_data(spool.fd_, spool.base_, kSpoolArenaOffset, arena_end);
  if (!whole) return base::system_error("cannot read the spool", path);
  return spool;
}

}  // namespace rec
