// SPDX-License-Identifier: Apache-2.0
// What an agent does at its start about what earlier processes of its user left behind. Nothing of a living process is
// touched: its locks tell (repository and spools).
//
//   dead spools                                   -> chunks in the repository they belong to; the spool goes
//   dead spools whose repository was removed      -> go; of this very recording: a recording, if there is something in
//   FILENAME.chunks.dead-*, FILENAME.chunks-*     -> recordings FILENAME-recovered-TIME-PID.jfr; the directory goes
//   other directories beside it (repository=DIR)  -> recordings DIR/NAME.jfr; likewise
//
// A directory goes only after its recording is whole and synced. What cannot be recovered (no room, a damaged chunk) is
// left as it is, and said. Several processes may do this at the same time: who holds the lock does the work.
#pragma once

#include <string>

namespace rec {

inline constexpr unsigned kMostLeftovers = 64;  // of each kind, a start

struct LeftoverPlaces {
  std::string repository;       // of the recording that has just begun, locked by it
  std::string filename;         // its target; may be empty
  std::string spool_directory;  // wished place of spools; may be empty
};

// For one ordinary thread that blocks all signals. Reads and writes files, so it may take as long as a disk takes. log:
// one line a call, with the prefix "rec: ".
void recover_leftovers(const LeftoverPlaces& places, void (*log)(const char* line));

}  // namespace rec
