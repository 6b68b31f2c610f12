// SPDX-License-Identifier: Apache-2.0
// RecoverySources are what the recordings of one directory of chunks are made of: its chunks, and spools, of which chunks are made
// first. When the recordings are whole they go, and marks tell a recovery that was killed meanwhile what was done (recover/done_mark.h):
//
//   open() -> seal() -> processes() -> a recording of each -> mark(), it gets its name -> end(): all that was used goes
//                                                                                      -> or nothing does
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jrec/recover/recover.h"
#include "jrec/recover/target_room.h"
#include "recover/dead_repository.h"
#include "recover/done_mark.h"
#include "recover/home_spools.h"
#include "recover/work_directory.h"

namespace jrec {

class RecoverySources {
 public:
  RecoverySources(const RecoverOptions& options, const std::string& directory)
      : options_(options), directory_(directory), spools_(directory), may_remove_(can_be_written(directory)) {}

  base::Status open();  // DeadRepository::open() says what fails
  // With a place for the recording, nothing is written to the directory: its disk may be full, or read-only.
  base::Status seal(const std::vector<std::string>& more_places, rec::Tally& tally);
  std::vector<rec::DeadProcess> processes() const { return repository_->processes(work_ ? work_->path() : ""); }

  // The recording of a process that a recovery has made which did not live to its end: as the mark tells, or under one of these names.
  std::optional<std::string> made_before(uint32_t pid, const std::vector<std::string>& names);
  // Of the file that will be `recording`. Where no mark can be made, the sources stay.
  void mark(uint32_t pid, int file, const std::string& recording);
  // Whether they go when all is done.
  bool go() const { return !options_.keep && !options_.dry_run && may_remove_; }
  // Why they stay though nobody asked for it; empty else.
  std::string why_kept() const;

  // all_made: each of these has its recording. had_spools: there were spools, and no recording tells of them.
  void end(const std::vector<rec::DeadProcess>& processes, bool all_made, bool had_spools);

 private:
  void remove(const std::vector<rec::DeadProcess>& processes);

  const RecoverOptions& options_;
  const std::string& directory_;
  std::optional<rec::DeadRepository> repository_;
  rec::HomeSpools spools_;
  std::optional<rec::WorkDirectory> work_;  // where the spools' chunks are made, if not in the directory
  bool made_before_ = false;                // some of it, as marks tell: these stay until all is done
  bool may_remove_;                         // the directory can be written to, and has room for marks
};

}  // namespace jrec
