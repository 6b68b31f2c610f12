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
// event of a type that nobody wants is none. Of members without chunks nothing is chosen.
#pragma once

#include <memory>
#include <optional>
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

class MembersInput : public Input {
 public:
  // All of them. kUsage: there is no such archive or member.
  static base::Result<std::unique_ptr<MembersInput>> open(const ArchivePlace& place, jfr::read::Problems& problems);

  // Before anything is asked for but parts that are no chunks, in this order:
  // Only what may be in the range that is chosen, which is in `range` then. kUsage: there is no such time.
  virtual base::Status choose(const TimeChoice& choice, TimeRange& range) = 0;
  // As much as may be unpacked. What there is more of is noted.
  virtual void limit(jfr::read::Problems& problems) = 0;

  // Why bytes that are elsewhere cannot be had.
  virtual std::optional<base::Error> failure() const = 0;
};

}  // namespace jrec
