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
#include <array>
#include <cstddef>
#include <cstring>

#include "base/file_io.h"
#include "base/result.h"
#include "recorder/spool/spool.h"

namespace rec {
namespace {

// Copies what [from, end) of the file holds to the same place of `image`; holes, and what is behind the file's end, stay
// untouched zeros. last: the end of what was copied.
bool read_data(int fd, std::byte* image, uint64_t from, uint64_t end, uint64_t& last) {
  while (from < end) {
    const off_t data = lseek(fd, static_cast<off_t>(from), SEEK_DATA);
    if (data < 0 && errno == ENXIO) return true;  // nothing but a hole
    const uint64_t start = data < 0 ? from : static_cast<uint64_t>(data);
    if (start >= end) return true;
    const off_t hole = data < 0 ? -1 : lseek(fd, data, SEEK_HOLE);
    const uint64_t stop = hole < 0 ? end : std::min(end, static_cast<uint64_t>(hole));
    if (!base::read_all_at(fd, image + start, stop - start, start)) return false;
    last = from = stop;
  }
  return true;
}

// The kind and version of the file. Looked at before the lock is tried: the owner locks its spool first and writes the
// magic then, so a spool in the making is never disturbed.
enum class HeaderKind { kOurs, kNoHeader };
Result<HeaderKind> kind_of(int fd, uint64_t file_bytes, const std::string& path) {
  if (file_bytes < kSpoolHeaderBytes)
    return base::corrupt(file_bytes, "the file ends inside its header; what was in it is lost");
  std::array<std::byte, sizeof(kSpoolMagic) + sizeof(uint32_t)> head;
  uint32_t version = 0;
  if (!base::read_all_at(fd, head.data(), head.size(), 0)) return base::system_error("cannot read the spool", path);
  std::memcpy(&version, head.data() + kSpoolMagic.size(), sizeof version);
  if (std::memcmp(head.data(), kSpoolMagic.data(), kSpoolMagic.size()) != 0) return HeaderKind::kNoHeader;
  if (version == kSpoolVersion) return HeaderKind::kOurs;
  return base::corrupt(offsetof(SpoolHeader, version), "this is not a spool of this version of rec (" +
                                                           std::to_string(version) + ", and not " +
                                                           std::to_string(kSpoolVersion) + ")");
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

Result<uint64_t> size_of(int fd, const std::string& path) {
  struct stat st {};
  if (fstat(fd, &st) != 0) return base::system_error("cannot open the spool", path);
  if (!S_ISREG(st.st_mode)) return base::corrupt(0, "this is no plain file");
  return static_cast<uint64_t>(st.st_size);
}

}  // namespace

Status Spool::read_leftover() {
  const uint64_t end = std::min(extent_.file_bytes, kSpoolFileBytes);
  uint64_t header_end = 0;
  if (read_data(file_.fd(), base_, 0, kSpoolHeaderBytes, header_end) &&
      read_data(file_.fd(), base_, kSpoolLogOffset, std::min(end, kSpoolArenaOffset), extent_.log_end) &&
      read_data(file_.fd(), base_, kSpoolArenaOffset, end, extent_.arena_end))
    return base::Done{};
  return base::system_error("cannot read the spool");
}

uint64_t Spool::count_events() const {
  const auto* const slots = reinterpret_cast<const EventSlot*>(base_ + kSpoolLogOffset);
  uint64_t events = 0;
  for (uint64_t i = 0; i < (extent_.log_end - kSpoolLogOffset) / sizeof(EventSlot); ++i)
    events += slots[i].kind.load(std::memory_order_relaxed) != 0;
  return events;
}

Result<Spool> Spool::open_leftover(const std::string& path) {
  Spool spool;
  spool.file_ = base::KeptDescriptor(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!spool.file_) return base::system_error("cannot open the spool", path);
  const Result<uint64_t> size = size_of(spool.file_.fd(), path);
  if (!size) return size.error();
  spool.extent_.file_bytes = *size;
  const Result<HeaderKind> kind = kind_of(spool.file_.fd(), *size, path);
  if (!kind) return kind.error();
  if (*kind == HeaderKind::kOurs)
    if (Status locked = lock(spool.file_.fd(), path); !locked) return locked.error();
  void* base =
      mmap(nullptr, kSpoolFileBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return base::system_error("no memory for the spool", path);
  spool.base_ = static_cast<std::byte*>(base);
  if (Status read = spool.read_leftover(); !read) return base::system_error("cannot read the spool", path);
  if (*kind == HeaderKind::kOurs) return spool;
  return base::corrupt(0, "the header is gone: of the " + std::to_string(spool.count_events()) +
                              " events here those that no chunk has are lost");
}

}  // namespace rec
