// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "recorder/system_error.h"

namespace rec {

// One of the two ranges, with what is needed to allocate it ahead.
struct Spool::Range {
  Meter& meter;
  uint64_t offset;       // in the file
  uint64_t bytes;        // of address space
  uint64_t first_bytes;  // allocated when empty
  uint32_t unit_bytes;
};

Spool::Range Spool::log_range() { return {header().log, kSpoolLogOffset, kLogBytes, log_first_, sizeof(EventSlot)}; }
Spool::Range Spool::arena_range() { return {header().arena, kSpoolArenaOffset, kArenaBytes, arena_first_, kUnitBytes}; }

Result<Spool> Spool::create(const std::string& directory, uint32_t index) {
  Spool spool;
  spool.path_ = directory + "/epoch-" + std::to_string(index) + ".spool";
  spool.fd_ = open(spool.path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (spool.fd_ < 0) return system_error("cannot make the spool", spool.path_);
  if (flock(spool.fd_, LOCK_EX | LOCK_NB) != 0) return system_error("cannot lock the spool", spool.path_);
  if (ftruncate(spool.fd_, kSpoolFileBytes) != 0 || fallocate(spool.fd_, 0, 0, kSpoolHeaderBytes) != 0)
    return system_error("no room for the spool", spool.path_);
  void* base = mmap(nullptr, kSpoolFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, spool.fd_, 0);
  if (base == MAP_FAILED) return system_error("cannot map the spool", spool.path_);
  spool.base_ = static_cast<std::byte*>(base);
  spool.header().magic = kSpoolMagic;
  spool.header().version = kSpoolVersion;
  spool.header().pid = static_cast<uint32_t>(getpid());
  spool.header().index = index;
  spool.drop();
  if (!spool.extend()) return system_error("no room for the spool", spool.path_);
  return spool;
}

Result<Spool> Spool::open_leftover(const std::string& path) {
  Spool spool;
  spool.fd_ = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  struct stat st {};
  if (spool.fd_ < 0 || fstat(spool.fd_, &st) != 0) return system_error("cannot open the spool", path);
  if (!S_ISREG(st.st_mode) || static_cast<uint64_t>(st.st_size) != kSpoolFileBytes)
    return jfr::Error{jfr::ErrorCode::kCorrupt, 0, path + " does not have the size of a spool"};
  if (flock(spool.fd_, LOCK_EX | LOCK_NB) != 0)
    return jfr::Error{jfr::ErrorCode::kUsage, 0, path + " belongs to a process that lives"};
  void* base = mmap(nullptr, kSpoolFileBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, spool.fd_, 0);
  if (base == MAP_FAILED) return system_error("cannot map the spool", path);
  spool.base_ = static_cast<std::byte*>(base);
  const SpoolHeader& header = spool.header();
  const bool known = header.magic == kSpoolMagic && header.version == kSpoolVersion;
  const bool inside = header.log.tail.load(std::memory_order_relaxed) <= kLogBytes / sizeof(EventSlot) &&
                      header.arena.tail.load(std::memory_order_relaxed) <= kArenaBytes / kUnitBytes;
  if (!known || !inside) return jfr::Error{jfr::ErrorCode::kCorrupt, 0, path + " is not a spool of this version"};
  return spool;
}

Spool::Spool(Spool&& other) noexcept
    : path_(std::move(other.path_)),
      base_(std::exchange(other.base_, nullptr)),
      fd_(std::exchange(other.fd_, -1)),
      released_(std::exchange(other.released_, 0)),
      log_first_(other.log_first_),
      arena_first_(other.arena_first_) {}

Spool& Spool::operator=(Spool&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(base_, other.base_);
  std::swap(fd_, other.fd_);
  std::swap(released_, other.released_);
  std::swap(log_first_, other.log_first_);
  std::swap(arena_first_, other.arena_first_);
  return *this;
}

Spool::~Spool() {
  if (base_) munmap(base_, kSpoolFileBytes);
  if (fd_ < 0) return;
  if (!path_.empty()) unlink(path_.c_str());
  close(fd_);
}

bool Spool::extend_range(const Range& range) {
  for (;;) {
    const uint64_t limit = uint64_t{range.meter.limit.load(std::memory_order_relaxed)} * range.unit_bytes;
    const uint64_t used = uint64_t{range.meter.tail.load(std::memory_order_relaxed)} * range.unit_bytes;
    if (limit >= range.bytes || (used * 2 <= limit && limit >= range.first_bytes)) break;
    const uint64_t step = std::min(std::clamp(limit, range.first_bytes, kSpoolStepBytes), range.bytes - limit);
    const uint64_t from = limit & ~uint64_t{4095};  // an empty meter's limit is one unit, not a page
    if (fallocate(fd_, 0, static_cast<off_t>(range.offset + from), static_cast<off_t>(step)) != 0) return false;
    range.meter.grow_to(static_cast<uint32_t>((from + step) / range.unit_bytes));
  }
  // A mark already behind the tail never fires; the next flush looks again.
  const uint64_t limit = uint64_t{range.meter.limit.load(std::memory_order_relaxed)};
  range.meter.wake_at.store(static_cast<uint32_t>(limit / 2), std::memory_order_relaxed);
  return true;
}

bool Spool::extend() {
  const bool log = extend_range(log_range());
  return extend_range(arena_range()) && log;
}

// What an epoch like this one needs soon, in whole pages.
uint64_t Spool::first_bytes_after(const Range& range, uint64_t least) {
  const uint64_t used = uint64_t{range.meter.tail.load(std::memory_order_relaxed)} * range.unit_bytes;
  return std::clamp(used / 2 & ~uint64_t{4095}, least, kSpoolStepBytes);
}

void Spool::drop() {
  log_first_ = first_bytes_after(log_range(), kLogFirstBytes);
  arena_first_ = first_bytes_after(arena_range(), kArenaFirstBytes);
  fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, kSpoolLogOffset, kLogBytes + kArenaBytes);
  released_ = 0;
  header().consumed.store(0, std::memory_order_relaxed);
  header().log.reset(0);
  header().arena.reset(1);
}

void Spool::release_log_before(uint32_t slot) {
  const uint64_t end = uint64_t{slot} * sizeof(EventSlot) & ~uint64_t{4095};
  if (end < released_ + kLogFirstBytes) return;  // not worth a call yet
  fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(kSpoolLogOffset + released_),
            static_cast<off_t>(end - released_));
  released_ = end;
}

void Spool::leak() {
  Spool file_only = std::move(*this);
  file_only.base_ = nullptr;
}

bool Spool::nearly_full() {
  return header().log.tail.load(std::memory_order_relaxed) > kLogBytes / sizeof(EventSlot) / 2 ||
         header().arena.tail.load(std::memory_order_relaxed) > kArenaBytes / kUnitBytes / 2;
}

}  // namespace rec
