// SPDX-License-Identifier: Apache-2.0
// `jrec archive list`: the members of an archive, one a line.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ArchiveListOptions {
  std::string archive;
  std::vector<std::string> members;  // globs; all by default
  bool json = false;                 // one object a line
};

ExitCode run_archive_list(const ArchiveListOptions& options, Output& out);

}  // namespace jrec
