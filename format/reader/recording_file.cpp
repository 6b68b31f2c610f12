// SPDX-License-Identifier: Apache-2.0
#include "format/reader/recording_file.h"

namespace jfr::read {

using base::Result;

Result<RecordingFile> RecordingFile::open(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  return RecordingFile(std::move(*file));
}

base::Status RecordingFile::whole() const {
  if (problems_.empty()) return base::Done{};
  base::Error first = problems_.kept().front();
  const size_t others = problems_.count() - 1;
  if (others > 0) first.what += " (and " + std::to_string(others) + (others == 1 ? " other)" : " others)");
  return first;
}

}  // namespace jfr::read
