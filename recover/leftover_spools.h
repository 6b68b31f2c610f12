// SPDX-License-Identifier: Apache-2.0
// Recovery turns the spools that a dead process left into chunks, with the code that rotation uses.
//
//   open(): lock each spool, read it  ->  seal(): what no chunk has  ->  chunks in the repository  ->  remove()
//
// Exactly once: what had reached a chunk is not repeated, also when the process died between the commit and its note
// of it (spool_layout.h: intent). The locks are held as long as the object lives, so two recoveries never do the same
// work; one that dies in between leaves the spools, and the next one makes the same chunks under the same names again.
//
// The spools are hostile input. What was cut, zeroed or changed since is found by its checks and named (spool_check.h);
// every reference is checked, an event whose facts are damaged is written with what is left. Memory is bounded by the
// blocks that the spools have. Ordinary threads only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/spool/identity.h"

namespace rec {

struct Recovered {
  uint64_t samples = 0;
  uint64_t lost = 0;                // samples that the dead process had counted as lost and no chunk tells of, and
                                    // events that are damaged
  std::vector<std::string> chunks;  // paths, oldest first; none if everything had been written
};

class LeftoverSpools {
 public:
  // directory: as the process named it (rec-<pid>-<id>). kUsage if the owner lives; kCorrupt if there is no spool
  // that can be read; kSystem if it cannot be opened, or somebody else has recovered it just now.
  static base::Result<LeftoverSpools> open(const std::string& directory);
  LeftoverSpools(LeftoverSpools&&) noexcept;
  LeftoverSpools& operator=(LeftoverSpools&&) noexcept;
  ~LeftoverSpools();

  const std::string& directory() const { return directory_; }
  const SpoolHome& home() const { return home_; }  // the repository of the dead process
  uint32_t pid() const { return pid_; }
  // What is wrong with the spools, and of which file it is. What can be read all the same is sealed.
  struct Damage {
    std::string file;
    base::Error error;
    base::Error as_error() const { return {error.code, error.offset, file + ": " + error.what, error.errno_value}; }
  };
  const std::vector<Damage>& damage() const { return damage_; }

  // Samples that no chunk has.
  uint64_t waiting_samples(const std::string& chunks_are_in);

  // About how many bytes the chunks of these would have; never far too few.
  uint64_t likely_bytes(const std::string& chunks_are_in);

  // Makes the chunks that are missing in `to_directory`. An error leaves none of them. chunks_are_in: the repository,
  // by the name it has now.
  base::Result<Recovered> seal(const std::string& to_directory, const std::string& chunks_are_in);
  void remove();  // the files and their directory, once the chunks are where they should be

 private:
  struct Files;
  LeftoverSpools();
  void lend_facts();
  void check();
  std::string directory_;
  SpoolHome home_;
  uint32_t pid_ = 0;
  std::vector<Damage> damage_;
  uint64_t damaged_events_ = 0;
  std::unique_ptr<Files> files_;
};

}  // namespace rec
