// SPDX-License-Identifier: Apache-2.0
// ChunkHook runs the user's command (onchunk=COMMAND) for each finished chunk, to upload it or to keep a copy:
//
//   /bin/sh -c 'COMMAND "$@"' sh PATH                                      PATH: absolute, of the chunk
//   chunk_finished() -> queue -> at most two at a time -> reaped by poll()   each in a process group of its own
//
// The command starts with the environment of the application but for the variables that would load agents into a JVM
// (JAVA_TOOL_OPTIONS and the like), no signal blocked or ignored, and no descriptor but 0 (/dev/null), 1 and 2. The
// recording never waits for it: a queue that is full drops its oldest chunk, a command that runs too long is killed
// with its group. Each is said; a command that fails is said once per exit code. Only processes that were started here
// are waited for, by their ids: the application's children are its own. It may take the exit status of ours, though, by
// waiting for any child: these are counted, and said once and at the end.
//
// A chunk that uses() holds of is not to be removed or renamed. Recorder thread only.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "recorder/repository/complaints.h"

namespace rec {

inline constexpr size_t kHooksAtATime = 2;
inline constexpr size_t kHookQueueLength = 256;
inline constexpr int64_t kHookLimitNs = 300'000'000'000;     // then the command is killed
inline constexpr int64_t kHookStopLimitNs = 10'000'000'000;  // what stop() should give finish()

class ChunkHook {
 public:
  // An empty command: none of the functions does anything.
  ChunkHook(std::string command, void (*log)(const char* line), int64_t limit_ns = kHookLimitNs);
  ChunkHook(const ChunkHook&) = delete;  // destroyed: commands that still run go on
  ChunkHook& operator=(const ChunkHook&) = delete;

  void chunk_finished(const std::string& path);
  // Reaps, kills what is over its time, starts what waits. At each flush; never waits.
  void poll();
  bool idle() const { return waiting_.empty() && running_.empty(); }
  bool uses(const std::string& path) const;
  // The chunk has to go, though uses() holds: it is out of the queue; a command that reads it goes on.
  void give_up(const std::string& path);
  // At stop, before the chunks are taken apart: polls until idle, at most limit_ns. False: some chunks are still in
  // use; it says so. They should be left where they are.
  bool finish(int64_t limit_ns);

 private:
  struct Run {
    pid_t process;
    std::string path;
    int64_t start_ticks;
    bool killed;
  };
  void start_waiting();
  void start(const std::string& path);
  bool still_runs(Run& run);
  void say_end(const Run& run, int status);
  void say_taken(const Run& run);

  const std::string command_;
  const int64_t limit_ns_;
  Complaints complaints_;
  std::deque<std::string> waiting_;
  std::vector<Run> running_;
  uint64_t taken_ = 0;  // whose exit status the application has
};

}  // namespace rec
