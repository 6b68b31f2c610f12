// SPDX-License-Identifier: Apache-2.0
// `jrec archive add`: files become members of an archive. When it fails, none of them does; when it is killed, those
// that were written by then, each whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/archive/blocks.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ArchiveAddOptions {
  std::string archive;
  std::vector<std::string> files;
  std::vector<std::string> labels;  // KEY=VALUE
  std::string name;                 // of the member, for one file; its own by default
  int level = jfr::archive::kUsualLevel;
  int64_t wait_s = 60;  // for another process that adds
};

// 1 to 19, or max; nothing for other words.
std::optional<int> archive_level(const std::string& text);

ExitCode run_archive_add(const ArchiveAddOptions& options, Output& out);

}  // namespace jrec
