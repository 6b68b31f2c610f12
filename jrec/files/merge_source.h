// SPDX-License-Identifier: Apache-2.0
// MergeSource is one of the files that are merged: its chunks in their order, and which program wrote each. A file may be of several programs, as
// merge makes them. MergePrograms numbers these over all files.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "format/reader/chunk_scanner.h"
#include "jrec/files/program_identity.h"
#include "jrec/input/recording.h"
#include "jrec/values/running_clock.h"

namespace jrec {

struct MergeChunk {
  jfr::read::ChunkExtent extent;
  size_t program = 0;
};

struct MergeSource {
  explicit MergeSource(const std::string& path) : recording(path) {}
  Recording recording;
  std::vector<MergeChunk> chunks;
  size_t next = 0;
  RunningClock clock;
};

class MergePrograms {
 public:
  // Of the next file's chunks, one after the other. One that does not tell is of the program of the chunk before.
  void begin_file();
  size_t of(jfr::read::Chunk& chunk);

  // A file that does not tell counts as one.
  size_t count() const { return writers_.size() + untold_; }
  // One program, whose chunks go by one clock: they can stand in one file as they are.
  bool go_together() const { return known_.size() == 1 && has_one_clock_; }

 private:
  size_t number_of(jfr::read::Chunk& chunk);
  void meet_clock(const jfr::read::Chunk& chunk);

  std::vector<std::unique_ptr<ProgramIdentity>>
      known_;  // by what their numbers mean: one process may stand there twice
  std::set<WriterProcess> writers_;
  size_t untold_ = 0;
  // Of the file at hand.
  std::optional<WriterProcess> writer_;
  std::optional<size_t> last_;
  std::optional<double> zero_ns_;  // when the first chunk's ticks were 0
  double ticks_per_second_ = 0;
  bool has_one_clock_ = true;
};

}  // namespace jrec
