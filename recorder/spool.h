// SPDX-License-Identifier: Apache-2.0
// A Spool is the mapped file an epoch lives in (spool_layout.h). What is committed there outlives the process.
//
// Files are 0600, named epoch-N.spool, in a directory of our own with an unpredictable name and mode 0700. The owner
// holds a lock (flock) on each: a spool whose lock is free belongs to a dead process. Blocks are allocated before a
// Meter's limit allows their use, so a full disk is an error code here and never a SIGBUS in a handler. Recorder thread
// only, but for the mapped memory itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "format/result.h"
#include "recorder/arena.h"
#include "recorder/event_log.h"
#include "recorder/spool_layout.h"

namespace rec {

using jfr::Result;
using jfr::Status;

// Makes the directory for the spools: below `wished`, else below a tmpfs with room, else below `fallback`.
Result<std::string> make_spool_directory(const std::string& wished, const std::string& fallback);

class Spool {
 public:
  static Result<Spool> create(const std::string& directory, uint32_t index);
  // Of a dead process, for recovery: a private copy, checked, that is neither changed nor removed. kUsage if the owner
  // lives.
  static Result<Spool> open_leftover(const std::string& path);
  Spool() = default;
  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&& other) noexcept;
  ~Spool();  // unmaps and removes the file

  SpoolHeader& header() { return *static_cast<SpoolHeader*>(static_cast<void*>(base_)); }
  EventLog log() { return {reinterpret_cast<EventSlot*>(base_ + kSpoolLogOffset), &header().log}; }
  Arena arena() { return {base_ + kSpoolArenaOffset, &header().arena}; }

  // Allocates ahead while more than half of a range is used. False: the system has no room; the limits stay.
  bool extend();
  // Everything is zero again and nothing is allocated: limits are 0 until the next extend().
  void drop();
  // Gives back the blocks of log slots before `slot`; they are never read again.
  void release_log_before(uint32_t slot);
  bool nearly_full();
  void leak();  // the mapping stays: somebody may still write to it; the file goes, or not, as ever
  void keep_file() { path_.clear(); }  // for recovery: the chunk it belongs into could not be written
  const std::string& path() const { return path_; }

 private:
  struct Range;
  bool extend_range(const Range& range);
  static uint64_t first_bytes_after(const Range& range, uint64_t least);
  Range log_range();
  Range arena_range();

  std::string path_;
  std::byte* base_ = nullptr;
  int fd_ = -1;
  uint64_t released_ = 0;  // bytes of the log given back
  uint64_t log_first_ =
      kLogFirstBytes;  // what drop() allocates: more after a busy epoch, so that the next one need not start small
  uint64_t arena_first_ = kArenaFirstBytes;
};

}  // namespace rec
