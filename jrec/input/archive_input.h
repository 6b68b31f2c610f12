// SPDX-License-Identifier: Apache-2.0
// Members of an archive as an input: they are restored into a scratch file, one behind the other; of damaged ones what
// is left is the input, and the rest is noted.
//
//   ARCHIVE.recz:MEMBER   one, or all whose names match a pattern with * and ?
//   ARCHIVE.recz          all
//
// Where only a time is asked for, only the chunks are read that have events which start in it, and one at least.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"
#include "jrec/input/recording_span.h"

namespace jrec {

struct ArchivePlace {
  std::string archive, members;
};

// For a path of the first form that is no file itself.
std::optional<ArchivePlace> archive_place(const std::string& path);

// kUsage: there is no such archive or member, or no such time. What `choose` chooses is in `range`.
base::Result<jfr::read::MappedFile> open_members(const ArchivePlace& place, const TimeChoice& choose, TimeRange& range,
                                                 jfr::read::Problems& problems);

}  // namespace jrec
