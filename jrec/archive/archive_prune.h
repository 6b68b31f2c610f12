// SPDX-License-Identifier: Apache-2.0
// `jrec archive prune`: the oldest members go, until the archive is within its limits.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ArchivePruneOptions {
  std::string archive;
  std::string max_age, max_size;    // "30d", "10g"; empty: no limit
  std::vector<std::string> labels;  // only members that have all of them count, and go
  bool dry_run = false;             // only say which ones would go
};

// Another archive takes the place of this one when it is whole; nobody adds meanwhile. A member's age is that of its
// end, or, of what is no recording, that of its adding.
ExitCode run_archive_prune(const ArchivePruneOptions& options, Output& out);

}  // namespace jrec
