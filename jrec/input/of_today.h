// SPDX-License-Identifier: Apache-2.0
// Recordings as today's readers take them: unwrapped, and of version 2 where they were of version 0.9 (JDK 7 and 8,
// JRockit). What is so already stays where it is; the rest becomes a scratch file.
#pragma once

#include "base/result.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"
#include "jrec/input/input.h"

namespace jrec {

// A regular file from its beginning.
base::Result<jfr::read::MappedFile> file_of_today(int fd, jfr::read::Problems& problems);
base::Result<jfr::read::MappedFile> file_of_today(base::Result<jfr::read::MappedFile>&& unwrapped,
                                                  jfr::read::Problems& problems);

// Whether a part of these members is to become another. Restores those that are no chunk, which may be kept for the next.
bool has_other_parts(Input& members);
// All of them as one file, one behind the other. What cannot be restored is noted.
base::Result<jfr::read::MappedFile> members_of_today(Input& members, jfr::read::Problems& problems);

}  // namespace jrec
