// SPDX-License-Identifier: Apache-2.0
// `jrec archive merge` and `repair`: a new archive of the members of others.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ArchiveMergeOptions {
  std::vector<std::string> archives;
  std::string out;  // the new archive; what stands there is replaced when the new one is whole
};

// The same member in several archives is there once; another one of a name that is taken gets "~2" behind it.
ExitCode run_archive_merge(const ArchiveMergeOptions& options, Output& out);

// Mends an archive in its place, by its parity. With `out`, a new archive of what can be read of it: a damaged member becomes NAME.damaged, with the chunks that are left.
ExitCode run_archive_repair(const ArchiveMergeOptions& options, Output& out);

}  // namespace jrec
