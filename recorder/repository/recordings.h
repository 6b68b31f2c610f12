// SPDX-License-Identifier: Apache-2.0
// Recordings are those that an engine makes at a time. There is one stream of chunks, and each recording has the chunks of
// its time: from the chunk that begins when it begins to the one that ends when it ends. So they hold the same events,
// whoever asked for them, as JFR's do.
//
//   home     the oldest: chunks are written in its directory, and the spools are its own
//   others   a hard link to each chunk in their directories, to the open one, too, so that each can be recovered; where
//            there is no link to be had (another file system), a copy of each that is finished
//
// When the home ends while others go on, the oldest of these becomes the home, and takes its identity over, by which the
// spools are known (identity.h). A recording that cannot have a chunk, for its disk is full, lacks it, which is said.
// Recorder thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recorder/repository/recording.h"

namespace rec {

class Recordings {
 public:
  explicit Recordings(void (*log)(const char* line)) : log_(log) {}

  Recording& add(std::unique_ptr<Recording> recording);  // between two chunks
  std::unique_ptr<Recording> take_out(uint64_t id);      // likewise; not the last one
  Recording* find(uint64_t id);                          // null: it is none of these
  Recording& home() { return *all_.front(); }
  const std::vector<std::unique_ptr<Recording>>& all() const { return all_; }

  // All directories; the error is the home's.
  Status prepare();
  std::string next_name(int64_t unix_ns) { return home().repository.next_name(unix_ns); }
  void hold();                                 // at each flush
  void chunk_opened(const std::string& path);  // in the home's directory
  void chunk_given_up();                       // it had nothing
  void chunk_finished(const std::string& path, int64_t end_ticks, uint64_t filler);
  bool uses(const std::string& path) const;  // a hook does
  void drop_old(int64_t now_ticks, uint64_t open_bytes);
  void poll_hooks();

 private:
  void forget_open();

  void (*log_)(const char* line);
  std::vector<std::unique_ptr<Recording>> all_;  // oldest first
  std::vector<std::string> open_links_;          // to the open chunk, in the others' directories
};

}  // namespace rec
