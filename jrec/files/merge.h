// SPDX-License-Identifier: Apache-2.0
// jrec merge: several recordings as one.
//
// Chunks are ordered by the time they start; those of one file keep their order. Chunks of different programs stay
// chunks of their own; their types get different numbers (type_ids.h), so that no reader mixes their constants, and
// their times a common clock (common_clock.h), so that none reads the times of one by the clock of another. Files are
// of one program when the JVM's process id and start time are the same in both, their types have the same numbers, and
// no constant means two things; their chunks are taken as they are. A chunk that stands in several files, as in dumps
// that overlap, is taken once; of one that was copied while it was written, the longest copy is. Damaged and unfinished
// chunks yield what can be read of them.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct MergeOptions {
  std::vector<std::string> files;
  std::string out;  // "-": standard output
};

ExitCode run_merge(const MergeOptions& options, Output& out);

}  // namespace jrec
