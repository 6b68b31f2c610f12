// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_file.h"

#include "jrec/input/open_archive.h"
#include "jrec/input/recording.h"
#include "jrec/select/glob.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using jfr::archive::Member;

bool ArchiveFile::open() {
  auto archive = OpenArchive::open(path_, problems_);
  if (!archive) {
    complain(shown_, archive.error());
    refused_ = code_of_unopened(archive.error());
    return false;
  }
  archive_ = std::move(archive.value());
  parts_.emplace(archive_->bytes());
  return true;
}

std::vector<const Member*> ArchiveFile::members(const std::vector<std::string>& globs) {
  std::vector<const Member*> found;
  std::vector<bool> matched(globs.size(), false);
  for (const Member& member : catalogue().members) {
    bool wanted = globs.empty();
    for (size_t i = 0; i < globs.size(); ++i)
      if (glob_matches(globs[i], member.name)) wanted = matched[i] = true;
    if (wanted) found.push_back(&member);
  }
  for (size_t i = 0; i < globs.size(); ++i) {
    if (matched[i]) continue;
    complain(shown_, no_such_member(catalogue(), globs[i]));
    missing_ = true;
  }
  return found;
}

ExitCode ArchiveFile::finish() {
  if (refused_ != kDone) return refused_;
  if (const auto failure = archive_->failure()) {
    complain(shown_, *failure);
    return kDamaged;
  }
  if (const auto advice = archive_->advice()) complain(shown_, *advice);
  for (const Error& problem : problems_.kept()) complain(shown_, problem);
  if (!problems_.empty()) return kDamaged;
  return missing_ ? kUsageError : kDone;
}

}  // namespace jrec
