// SPDX-License-Identifier: Apache-2.0
// `jrec archive export`: members for those who have no jrec, as files of zstd frames, a frame for each chunk, with a
// seek table behind them (zstd's contrib/seekable_format). `zstd -d` restores them, and readers of that format reach
// one chunk.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ArchiveExportOptions {
  std::string archive;
  std::vector<std::string> members;  // globs; all by default
  std::string directory = ".";
  bool zst = false;
  int level = 9;
};

// MEMBER.zst appears whole or not at all. A damaged member is not exported, and told.
ExitCode run_archive_export(const ArchiveExportOptions& options, Output& out);

}  // namespace jrec
