// SPDX-License-Identifier: Apache-2.0
// `jrec archive restore`, `cat` and `verify`: members as the files that they were, to the byte.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ArchiveRestoreOptions {
  std::string archive;
  std::vector<std::string> members;  // globs; all by default
  std::string directory = ".";
  bool overwrite = false;
};

// A file that is there already and is not the member stays, unless `overwrite` says otherwise; the archive stays always.
// A member appears under its name, whole and as it was, or not at all. Of a damaged one what is left is written under
// its name and ".damaged".
ExitCode run_archive_restore(const ArchiveRestoreOptions& options, Output& out);

// One member, to standard output.
ExitCode run_archive_cat(const ArchiveRestoreOptions& options, Output& out);

// Reads everything, and writes nothing.
ExitCode run_archive_verify(const ArchiveRestoreOptions& options, Output& out);

}  // namespace jrec
