// SPDX-License-Identifier: Apache-2.0
// A member of an archive as an input: ARCHIVE.recz:MEMBER. It is restored into a scratch file; of a damaged one what is
// left is the input, and the rest is noted.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"
#include "format/result.h"

namespace jrec {

// Archive and member, for a path of that form that is no file itself.
std::optional<std::pair<std::string, std::string>> archive_and_member(const std::string& path);

// kUsage: there is no such archive or member.
jfr::Result<jfr::read::MappedFile> open_member(const std::string& archive, const std::string& member,
                                               jfr::read::Problems& problems);

}  // namespace jrec
