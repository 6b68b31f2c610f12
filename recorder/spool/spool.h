// SPDX-License-Identifier: Apache-2.0
// A Spool is the mapped file an epoch lives in (spool_layout.h). What is committed there outlives the process.
//
// Files are 0600, named epoch-N.spool, in a directory of our own with an unpredictable name and mode 0700. The owner
// holds a lock (flock) on each: a spool whose lock is free belongs to a dead process. Blocks are allocated before a
// Meter's limit allows their use, so a full disk is an error code here and never a SIGBUS in a handler. Together the
// spools take no more than their budget. Recorder thread only, but for the mapped memory itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/kept_descriptor.h"
#include "base/result.h"
#include "recorder/spool/arena.h"
#include "recorder/spool/event_log.h"
#include "recorder/spool/identity.h"
#include "recorder/spool/spool_budget.h"
#include "recorder/spool/spool_layout.h"

namespace rec {

using base::Result;
using base::Status;

class Spool {
 public:
  // budget: outlives the spool; null: no limit.
  static Result<Spool> create(const std::string& directory, uint32_t index, SpoolBudget* budget = nullptr);
  static bool is_name(const std::string& name);  // epoch-N.spool
  // Of a dead process, for recovery: a private copy; the file is neither changed nor removed. It may be cut or damaged:
  // what is not there is zeros, and recover/spool_check.h says what is wrong. kUsage if the owner lives; kCorrupt, with
  // the offset, if it is no spool of this version or has no header that tells so.
  static Result<Spool> open_leftover(const std::string& path);
  Spool() = default;
  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&& other) noexcept;
  ~Spool();  // unmaps and removes the file

  void set_home(const SpoolHome& home);

  SpoolHeader& header() { return *static_cast<SpoolHeader*>(static_cast<void*>(base_)); }
  EventLog log() { return {reinterpret_cast<EventSlot*>(base_ + kSpoolLogOffset), &header().log}; }
  Arena arena() { return {base_ + kSpoolArenaOffset, &header().arena}; }

  // For objects that are alive (spool_layout.h); empty: there are none, or what says where is damaged.
  std::span<EventSlot> live_slots();
  // Once after drop(). False: there is no room.
  bool make_live_slots(uint32_t count);

  // The file's descriptor, again if somebody has closed it. False: the file is not to be had.
  bool hold();

  // Allocates ahead while more than half of a range is used. False: the budget or the system has no room; the limits
  // stay. cramped() remembers that until drop().
  bool extend();
  bool cramped() const { return cramped_; }
  // Everything is zero again, and the first blocks are there for whoever comes next: what somebody else fills the file
  // system with cannot take them any more.
  void drop();
  // That the events of slots before `slot` are committed to a chunk.
  void set_consumed(uint32_t slot);
  // Gives back the blocks of log slots before `slot`; they are never read again.
  void release_log_before(uint32_t slot);
  bool nearly_full();
  void leak();  // the mapping stays: somebody may still write to it; the file goes, or not, as ever
  void keep_file() { path_.clear(); }  // for recovery: the chunk it belongs into could not be written
  const std::string& path() const { return path_; }
  // Of a leftover: how far the file goes, and up to where each range has anything in it (offsets in the file).
  struct Extent {
    uint64_t file_bytes = 0;
    uint64_t log_end = kSpoolLogOffset;
    uint64_t arena_end = kSpoolArenaOffset;
  };
  const Extent& extent() const { return extent_; }

 private:
  struct Range;
  bool extend_range(const Range& range);
  static bool set_mark(const Range& range);
  bool allocate(uint64_t offset, uint64_t bytes);
  bool punch(uint64_t offset, uint64_t bytes, uint64_t allocated);
  void clear_by_hand();  // when the system does not punch holes
  base::Status read_leftover();
  uint64_t count_events() const;
  static uint64_t first_bytes_after(const Range& range, uint64_t least);
  Range log_range();
  Range arena_range();

  std::string path_;
  std::byte* base_ = nullptr;
  base::KeptDescriptor file_;
  SpoolBudget* budget_ = nullptr;
  uint64_t allocated_ = 0;  // bytes, without the header
  bool cramped_ = false;
  Extent extent_;
  uint64_t released_ = 0;  // bytes of the log given back
  // What drop() allocates: more after a busy epoch, so that the next one need not start small.
  uint64_t log_first_ = kLogFirstBytes;
  uint64_t arena_first_ = kArenaFirstBytes;
};

}  // namespace rec
