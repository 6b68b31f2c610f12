// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/finished_files.h"

#include <sys/stat.h>

namespace rec {

FinishedFiles::Place FinishedFiles::place_of(const RecordingTarget& target) const {
  if (target.overwrite) return {target.filename, Replaces::kAnything};
  const auto known = files_.find(target.filename);
  if (known == files_.end()) return {target.filename, Replaces::kEmpty};
  const File& file = known->second;
  struct stat st {};
  const bool still_ours = lstat(file.path.c_str(), &st) == 0 && st.st_dev == file.device && st.st_ino == file.inode;
  return {file.path, still_ours ? Replaces::kAnything : Replaces::kEmpty};
}

bool FinishedFiles::add(const RecordingTarget& target, const std::string& path) {
  struct stat st {};
  if (lstat(path.c_str(), &st) != 0) st = {};
  const auto known = files_.find(target.filename);
  const bool is_new = known == files_.end() || known->second.path != path;
  files_[target.filename] = {path, st.st_dev, st.st_ino};
  return is_new && path != target.filename;
}

}  // namespace rec
