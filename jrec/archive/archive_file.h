// SPDX-License-Identifier: Apache-2.0
// ArchiveFile is an archive that a command reads: mapped, with what it holds. Its damage is told at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/archive/part_reader.h"
#include "jrec/base/exit_code.h"
#include "jrec/input/open_archive.h"

namespace jrec {

class ArchiveFile {
 public:
  // shown: what messages call it, if not by its path.
  explicit ArchiveFile(std::string path, std::string shown = "")
      : path_(std::move(path)), shown_(shown.empty() ? path_ : std::move(shown)) {}

  bool open();  // false: finish() says why
  const jfr::archive::ArchiveBytes& bytes() const { return archive_->bytes(); }
  const jfr::archive::Catalogue& catalogue() const { return archive_->catalogue(); }
  jfr::archive::PartReader& parts() { return *parts_; }
  jfr::read::Problems& problems() { return problems_; }

  // Those whose name matches one of the globs; all without any. A glob that matches none is refused.
  std::vector<const jfr::archive::Member*> members(const std::vector<std::string>& globs);

  bool changed() const { return archive_->changed(); }  // open_archive.h

  // Why nothing more of it can be had (open_archive.h).
  std::optional<base::Error> failure() const { return archive_->failure(); }

  // Says what is wrong, a line each, and what was mended; the exit code of the command.
  ExitCode finish();

 private:
  const std::string path_, shown_;
  std::unique_ptr<OpenArchive> archive_;
  std::optional<jfr::archive::PartReader> parts_;
  jfr::read::Problems problems_;
  ExitCode refused_ = kDone;
  bool missing_ = false;  // a member that was asked for; where something is damaged, it may be that
};

}  // namespace jrec
