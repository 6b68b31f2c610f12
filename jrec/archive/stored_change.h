// SPDX-License-Identifier: Apache-2.0
// Changes an archive in an object store as if it were a file here (stored_archive.h): each time another one was faster, the change is
// made anew to what is there now.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "jrec/archive/stored_archive.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

// What came of changing the copy. Its text is for the user, who sees it once it counts.
struct ArchiveChange {
  ExitCode code = kDone;  // another one: it says why itself, and nothing is put back
  bool changed = false;
  std::string text;
};

// refused: says why, and is the exit code. Where nothing changed, nothing is put.
struct StoredChange {
  std::string archive;  // s3://BUCKET/KEY
  int64_t wait_s = 60;  // as long as others write to it
  bool puts = true;     // false: nothing will be put back, so nobody asks whether that could be
  std::function<ArchiveChange(StoredArchive& copy)> make;
  std::function<ExitCode(const base::Error&)> refused;
};
ExitCode change_in_store(const StoredChange& change, Output& out);

}  // namespace jrec
