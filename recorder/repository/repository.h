// SPDX-License-Identifier: Apache-2.0
// Repository is the directory of a recording's chunks, one finished JFR file each, so that it can be read as it is.
//
//   2026_11_21_13_45_10-4711-0001.jfr   UTC when the chunk began, process, a number: names grow in lexical order
//
// Beside them lies .rec-id, which says who the repository is (recorder/spool/identity.h); the recording keeps its id when
// somebody removes the directory and it is made anew.
//
// Mode 0700, locked as long as we record (directory_lock.h); a forked child closes it (open_files.h). Old chunks are
// removed, whole, oldest first:
//
//   max_size   of the finished chunks and what the open one holds. The newest finished chunk stays in any case, so that
//              a recording never consists of a chunk just begun.
//   max_age    of the end of a finished chunk, by the monotonic clock: setting the wall clock drops nothing.
//
// A chunk that the hook is busy with is kept until that is done, unless there is twice max_size; then the line says so.
// Recorder thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/repository/directory_lock.h"
#include "recorder/spool/identity.h"

namespace rec {

using base::Result;
using base::Status;

class ChunkHook;

class Repository {
 public:
  Repository(std::string directory, uint64_t max_size, int64_t max_age_ns, void (*log)(const char* line) = nullptr)
      : wished_(std::move(directory)), directory_(wished_), max_size_(max_size), max_age_ns_(max_age_ns), log_(log) {}

  void set_hook(ChunkHook* hook) { hook_ = hook; }

  // Makes and locks the directory, at start and when somebody has removed it. No effect while all is well.
  Status prepare();
  void hold() { lock_.hold(); }  // at each flush: somebody may have closed the lock's descriptor
  const std::string& directory() const { return directory_; }  // since prepare(): not always the one wished
  SpoolHome home() const;                                      // likewise: what spools say of it
  std::string next_name(int64_t unix_ns);
  // Chunks are written here from now on, and no more in `before`: their numbers go on, and we are who it was for the spools.
  void succeed(Repository& before);
  // A finished chunk; drops old ones as the limits say. filler: bytes of it that hold nothing and take no room.
  void add(const std::string& path, int64_t end_ticks, uint64_t filler = 0);
  // At each flush: time passes also when no chunk ends. open_bytes: what the open chunk holds.
  void drop_old(int64_t now_ticks, uint64_t open_bytes);
  // Oldest first. Those that somebody has removed are left out, and said.
  const std::vector<std::string>& chunks();
  size_t count() const { return paths_.size(); }
  uint64_t total_size() const { return total_size_; }
  // The chunks that the hook does not use, the directory if nothing else is in it, the lock. A directory that is not
  // ours, or not any more, is left alone.
  void remove();

 private:
  struct Chunk {
    uint64_t size;
    int64_t end_ticks;
  };
  void mark();
  bool has_to_go(const Chunk& oldest, int64_t now_ticks, uint64_t open_bytes);
  bool is_kept_for_hook(uint64_t open_bytes);
  void forget_removed();
  void drop_oldest();
  void say(const std::string& line) {
    if (log_) log_(line.c_str());
  }

  std::string wished_;
  std::string directory_;
  Identity identity_;
  bool marked_ = false;  // the directory has its .rec-id
  uint64_t max_size_;
  int64_t max_age_ns_;
  void (*log_)(const char* line);
  ChunkHook* hook_ = nullptr;
  DirectoryLock lock_;
  uint64_t total_size_ = 0;
  uint64_t number_ = 0;
  int64_t last_name_ns_ = 0;
  std::vector<std::string> paths_;  // oldest first, beside chunks_
  std::vector<Chunk> chunks_;
};

}  // namespace rec
