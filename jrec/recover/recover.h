// SPDX-License-Identifier: Apache-2.0
// `jrec recover`: finished recordings out of what a process left that did not get to finish them.
//
//   PID        what a dead process left: spools, and the directory of its chunks
//   DIRECTORY  of chunks, of several such directories, or of spools
//   FILE       another writer's (or our own) broken recording: a repaired copy
//   --all      every dead process of this user, also what no directory here claims: containers that share /dev/shm may
//              have theirs elsewhere, so this takes a person's word
//
// What belongs to a process that lives is refused (kUsageError) and not touched. A source is removed only after its
// recording is whole, and never when something in it was damaged, or is somebody else's.
#pragma once

#include <string>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct RecoverOptions {
  std::string input;
  std::string out;       // empty: named after the input, and never written over
  bool keep = false;     // leave the sources where they are
  bool json = false;     // one JSON object a line
  bool all = false;      // spools whose chunks are not here, too; without an input: all there are
  bool dry_run = false;  // say what there is, write nothing
};

ExitCode run_recover(const RecoverOptions& options, Output& out);
void declare_recover(CommandList& commands);

}  // namespace jrec
