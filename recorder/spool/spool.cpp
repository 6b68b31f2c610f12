// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "base/result.h"
#include "recorder/spool/header_edit.h"
#include "recorder/spool/spool_blocks.h"

namespace rec {
namespace {

constexpr char kPrefix[] = "epoch-";
constexpr char kEnding[] = ".spool";

}  // namespace

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

bool Spool::is_name(const std::string& name) { return name.starts_with(kPrefix) && name.ends_with(kEnding); }

Result<Spool> Spool::create(const std::string& directory, uint32_t index, SpoolBudget* budget) {
  Spool spool;
  spool.budget_ = budget;
  spool.path_ = directory + "/" + kPrefix + std::to_string(index) + kEnding;
  spool.file_ =
      base::KeptDescriptor(open(spool.path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!spool.file_) return base::system_error("cannot make the spool", spool.path_);
  const int fd = spool.file_.fd();
  fchmod(fd, 0600);  // the umask may have taken our own rights
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) return base::system_error("cannot lock the spool", spool.path_);
  if (ftruncate(fd, kSpoolFileBytes) != 0) return length_refused(spool.path_);
  if (!take_blocks(fd, 0, kSpoolHeaderBytes)) return blocks_refused(spool.path_);
  void* base = mmap(nullptr, kSpoolFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) return base::system_error("cannot map the spool", spool.path_);
  spool.base_ = static_cast<std::byte*>(base);
  {
    const HeaderEdit edit(spool.header());
    spool.header().version = kSpoolVersion;
    spool.header().pid = static_cast<uint32_t>(getpid());
    spool.header().index = index;
  }
  spool.header().magic = kSpoolMagic;  // last: now it is a spool, and locked
  spool.drop();
  if (!spool.extend()) return blocks_refused(spool.path_);
  return spool;
}

void Spool::set_home(const SpoolHome& home) {
  SpoolHeader& to = header();
  const HeaderEdit edit(to);
  to.repository_device = home.identity.device;
  to.repository_inode = home.identity.inode;
  to.repository_born_ns = home.identity.born_ns;
  write_text(to.repository_id, home.identity.id);
  write_text(to.repository, home.path);
}

Spool::Spool(Spool&& other) noexcept
    : path_(std::move(other.path_)),
      base_(std::exchange(other.base_, nullptr)),
      file_(std::move(other.file_)),
      budget_(std::exchange(other.budget_, nullptr)),
      allocated_(std::exchange(other.allocated_, 0)),
      cramped_(other.cramped_),
      extent_(other.extent_),
      released_(std::exchange(other.released_, 0)),
      log_first_(other.log_first_),
      arena_first_(other.arena_first_) {}

Spool& Spool::operator=(Spool&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(base_, other.base_);
  std::swap(file_, other.file_);
  std::swap(budget_, other.budget_);
  std::swap(allocated_, other.allocated_);
  std::swap(cramped_, other.cramped_);
  std::swap(extent_, other.extent_);
  std::swap(released_, other.released_);
  std::swap(log_first_, other.log_first_);
  std::swap(arena_first_, other.arena_first_);
  return *this;
}

Spool::~Spool() {
  if (base_) munmap(base_, kSpoolFileBytes);
  if (!path_.empty() && file_.is_at(path_)) unlink(path_.c_str());
  if (budget_) budget_->give_back(allocated_);
}

// The lock is the mapping's as well: it has not gone with the descriptor, and would be refused to another one.
bool Spool::hold() { return file_.is_own() || file_.open_again(path_, O_RDWR); }

bool Spool::allocate(uint64_t offset, uint64_t bytes) {
  assert(offset % 4096 == 0 && "blocks are allocated by whole pages");
  if (!hold() || !take_blocks(file_.fd(), offset, bytes)) return false;
  if (budget_) budget_->take(bytes);
  allocated_ += bytes;
  return true;
}

// `allocated`: how many bytes of them had blocks.
bool Spool::punch(uint64_t offset, uint64_t bytes, uint64_t allocated) {
  assert(allocated <= allocated_ && "no more blocks can be given back than were taken");
  constexpr int kPunch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (!hold() || fallocate(file_.fd(), kPunch, static_cast<off_t>(offset), static_cast<off_t>(bytes)) != 0)
    return false;
  if (budget_) budget_->give_back(allocated);
  allocated_ -= allocated;
  return true;
}

bool Spool::extend_range(const Range& range) {
  for (;;) {
    const uint64_t limit = uint64_t{range.meter.limit.load(std::memory_order_relaxed)} * range.unit_bytes;
    const uint64_t used = uint64_t{range.meter.tail.load(std::memory_order_relaxed)} * range.unit_bytes;
    assert(used <= limit && "writers never pass the limit, and only this function moves it");
    if (limit >= range.bytes) return set_mark(range), true;
    // Who claims the last unit below the mark wakes us, so all that lies below it has to be less than half.
    if (used * 2 < limit && limit >= range.first_bytes) {
      if (set_mark(range)) return true;
      continue;
    }
    const uint64_t from = limit & ~uint64_t{4095};  // an empty meter's limit is one unit, not a page
    uint64_t step = std::min(std::clamp(limit, range.first_bytes, kSpoolStepBytes), range.bytes - from);
    if (budget_) step = std::min(step, budget_->left() & ~uint64_t{4095});
    const bool enough = limit >= kSpoolLeastStepBytes && used * 2 < limit;  // what was tried is more than is needed
    if (step < kSpoolLeastStepBytes) return enough;
    // A quarter of it may be there where the whole is not.
    if (!allocate(range.offset + from, step) && !allocate(range.offset + from, step = step / 4 & ~uint64_t{4095}))
      return enough;
    range.meter.grow_to(static_cast<uint32_t>((from + step) / range.unit_bytes));
  }
}

// At half of what has blocks. False: the tail has passed it meanwhile.
bool Spool::set_mark(const Range& range) {
  return range.meter.set_mark((range.meter.limit.load(std::memory_order_relaxed) + 1) / 2);
}

bool Spool::extend() {
  const bool log = extend_range(log_range());
  const bool all = extend_range(arena_range()) && log;
  cramped_ = cramped_ || !all;
  return all;
}

// What an epoch like this one needs soon, in whole pages.
uint64_t Spool::first_bytes_after(const Range& range, uint64_t least) {
  const uint64_t used = uint64_t{range.meter.tail.load(std::memory_order_relaxed)} * range.unit_bytes;
  return std::clamp(used / 2 & ~uint64_t{4095}, least, kSpoolStepBytes);
}

// A slot of the epoch before would look committed. Only what was handed out is touched: the blocks of that exist. They
// stay, and are counted again by the next extend().
void Spool::clear_by_hand() {
  const uint64_t log_end = uint64_t{header().log.tail.load(std::memory_order_relaxed)} * sizeof(EventSlot);
  const uint64_t arena_end = uint64_t{header().arena.tail.load(std::memory_order_relaxed)} * kUnitBytes;
  if (log_end > released_) std::memset(base_ + kSpoolLogOffset + released_, 0, log_end - released_);
  if (arena_end > kUnitBytes) std::memset(base_ + kSpoolArenaOffset, 0, arena_end);
  if (budget_) budget_->give_back(allocated_);
  allocated_ = 0;
}

void Spool::drop() {
  const uint64_t log_next = first_bytes_after(log_range(), kLogFirstBytes);
  const uint64_t arena_next = first_bytes_after(arena_range(), kArenaFirstBytes);
  if (!punch(kSpoolLogOffset, kLogBytes + kArenaBytes, allocated_)) clear_by_hand();
  released_ = 0;
  set_consumed(0);
  header().live_unit.store(0);
  header().log.reset(0);
  header().arena.reset(1);
  log_first_ = kLogFirstBytes;
  arena_first_ = kArenaFirstBytes;
  cramped_ = false;
  extend();
  log_first_ = log_next;
  arena_first_ = arena_next;
}

void Spool::set_consumed(uint32_t slot) {
  // release: pairs with consumed_slots() in recovery; the intent is taken back after this.
  header().consumed.store(slot, std::memory_order_release);
  header().consumed_again.store(slot, std::memory_order_relaxed);
}

std::span<EventSlot> Spool::live_slots() {
  const CheckedWord<uint32_t>&unit = header().live_unit, &count = header().live_count;
  if (!unit.intact() || !count.intact() || unit.load() == 0) return {};
  const uint64_t units = uint64_t{count.load()} * (sizeof(EventSlot) / kUnitBytes);
  if (unit.load() + units > arena().used_units()) return {};
  return {reinterpret_cast<EventSlot*>(arena().at(unit.load())), count.load()};
}

bool Spool::make_live_slots(uint32_t count) {
  assert(header().live_unit.load() == 0 && "an epoch has them once");
  const Arena::Block block = arena().take(count * sizeof(EventSlot));
  if (block.outcome != Meter::Outcome::kTaken) return false;
  header().live_count.store(count);
  // release: pairs with nobody that lives: recovery reads it after our death.
  header().live_unit.store(block.unit, std::memory_order_release);
  return true;
}

void Spool::release_log_before(uint32_t slot) {
  assert(slot <= header().log.tail.load(std::memory_order_relaxed) && "only slots that were handed out are done with");
  const uint64_t end = uint64_t{slot} * sizeof(EventSlot) & ~uint64_t{4095};
  if (end < released_ + kLogFirstBytes) return;  // not worth a call yet
  if (punch(kSpoolLogOffset + released_, end - released_, end - released_)) released_ = end;
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
