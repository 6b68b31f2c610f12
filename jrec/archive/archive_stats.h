// SPDX-License-Identifier: Apache-2.0
// `jrec archive stats`: where the bytes of an archive are, and how small each service became.
#pragma once

#include <string>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ArchiveStatsOptions {
  std::string archive;
  std::string by = "service";  // the label whose values have a row each
};

ExitCode run_archive_stats(const ArchiveStatsOptions& options, Output& out);

}  // namespace jrec
