// SPDX-License-Identifier: Apache-2.0
#include "format/reader/recording_file.h"

namespace jfr::read {

using base::Result;

Result<RecordingFile> RecordingFile::open(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  return RecordingFile(std::move(*file));
}

}  // namespace jfr::read
