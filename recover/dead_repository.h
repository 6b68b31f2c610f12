// SPDX-License-Identifier: Apache-2.0
// The directory of chunks of a process that is dead, and the recordings that come of it: one a process, its chunks in
// the order of their numbers (a wall clock may jump, a number does not), those recovered from its spools behind them, but
// in front of what begins later.
// Ordinary threads only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recover/recovered_file.h"

namespace rec {

// 2026_11_21_13_45_10-4711-0003.jfr, as Repository names them, or recovered-4711-<random>-<serial>-0001.jfr.
struct ChunkName {
  bool ours = false;
  bool recovered = false;
  uint32_t pid = 0;
  uint64_t serial = 0;  // of the epoch; recovered ones only
  uint64_t number = 0;
  std::string time;  // 2026_11_21_13_45_10; not of recovered ones
};
ChunkName parse_chunk_name(const std::string& name);

struct DeadProcess {
  uint32_t pid = 0;
  std::string time;                 // when its first chunk that is left began, as in its name
  std::vector<std::string> chunks;  // paths, in order
};

class DeadRepository {
 public:
  // Takes the owner's lock. kUsage: the owner lives. kSystem: it is gone, or is no directory. kLimit: it has kMostNames
  // entries or more, not all of which would be seen.
  static Result<DeadRepository> open(const std::string& directory);

  const std::string& directory() const { return directory_; }
  // Looks anew each time, also in a second directory: a chunk there stands for one of its name here, which a recovery
  // left that did not live to its end.
  std::vector<DeadProcess> processes(const std::string& also_in = {}) const;
  // Nothing is in it but whose it was, and marks: a recovery was killed before its last step.
  bool is_finished() const;
  // Removes these chunks, what was never finished (.NAME.tmp), then the marks that they are done with (done_mark.h), and the
  // directory if nothing else is in it.
  void remove(const std::vector<std::string>& chunks);

 private:
  DeadRepository(std::string directory, Descriptor lock) : directory_(std::move(directory)), lock_(std::move(lock)) {}
  std::string directory_;
  Descriptor lock_;
};

// Samples in the chunks of that process that no chunk's counters tell of: those of the chunk that was open when it died,
// and of those that failed before.
uint64_t untold_samples(const std::string& directory, uint32_t pid);

struct RecordingMade {
  uint64_t samples = 0;
  uint64_t bytes = 0;
  size_t chunks = 0;
  std::string path;
};

// One recording at `target`, or beside what stands there (base/new_file.h); it is whole when this returns, or not there.
// kCorrupt: a chunk is damaged.
Result<RecordingMade> make_recording(const std::vector<std::string>& chunks, const std::string& target);

}  // namespace rec
