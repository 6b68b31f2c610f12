// SPDX-License-Identifier: Apache-2.0
// Members of an archive as an input: one behind the other, a stretch for each part of theirs. A part is restored into
// memory whenever it is asked for, and belongs to who asked. Of damaged members what is left is the input.
//
//   ARCHIVE.recz:MEMBER   one, or all whose names match a pattern with * and ?
//   ARCHIVE.recz          all
//   https://host/ARCHIVE.recz:MEMBER?QUERY   the member of https://host/ARCHIVE.recz?QUERY, http and https only
//
//   archive, mapped --read(3), any thread--> Stretch, its owner the caller
//                   --while something is read in advance--> kept, up to kMostKept bytes, for the next read(3)
//
// Where only a time is asked for, only the chunks are read that have events which start in it, and one at least. An
// event of a type that nobody wants is none. Of members without chunks, and where a part is foreign, nothing is chosen.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "format/reader/problems.h"
#include "jrec/input/input.h"
#include "jrec/input/recording_span.h"

namespace jrec {

struct ArchivePlace {
  std::string archive, members;
};

// For a path of the first form that is no file itself.
std::optional<ArchivePlace> archive_place(const std::string& path);

// Whether such a part becomes another before it is read, as one of version 0.9 does.
using IsForeign = std::function<bool(std::span<const uint8_t> part)>;

// kUsage: there is no such archive or member, or no such time. What is chosen is in `range`; nothing is chosen where a part
// is foreign.
base::Result<std::unique_ptr<Input>> open_members(const ArchivePlace& place, const IsForeign& is_foreign,
                                                  const TimeChoice& choice, TimeRange& range,
                                                  jfr::read::Problems& problems);

}  // namespace jrec
