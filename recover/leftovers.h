// SPDX-License-Identifier: Apache-2.0
// What an agent does at its start about what earlier runs of its own recording left behind. Nothing of a living process
// is touched: its locks tell (repository and spools). Nor is anything of other recordings, alive or dead: it is not
// looked at, and nothing is said of it.
//
//   FILENAME.chunks.dead-*, FILENAME.chunks-*, with the spools that belong to them by identity
//                                                 -> recordings FILENAME-recovered-TIME-PID.jfr; the directory goes
//   NAME.chunks and NAME.chunks.dead-* beside it, where another run of this recording may have been called NAME, if the
//   spools that belong to them are here        -> recordings NAME, and nothing is said: %p or %t may be another program's
//   other directories beside it (repository=DIR)  -> recordings DIR/NAME.jfr; likewise
//
// A directory and its spools go only after their recording is whole and synced. What cannot be recovered (no room, a
// damaged chunk or spool) is left as it is, and said. Several processes may do this at the same time: who holds the lock
// does the work. Spools that no directory here claims stay for `jrec recover`.
#pragma once

#include <functional>
#include <string>

namespace rec {

inline constexpr unsigned kMostLeftovers = 64;  // directories a start

struct LeftoverPlaces {
  std::string repository;       // of the recording that has just begun, locked by it
  std::string filename;         // its target; may be empty
  std::string spool_directory;  // wished place of spools; may be empty
  // Whether another run of the same recording may have been called so, when its name has the process id or the time in
  // it; may be empty.
  std::function<bool(const std::string& name)> may_be_ours = {};
};

// For one ordinary thread that blocks all signals. Reads and writes files, so it may take as long as a disk takes. log:
// one line a call, with the prefix "rec: ".
void recover_leftovers(const LeftoverPlaces& places, void (*log)(const char* line));

}  // namespace rec
