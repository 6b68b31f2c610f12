// SPDX-License-Identifier: Apache-2.0
// A stream becomes a file that can be mapped: a scratch file, unpacked on the way where gzip, zstd or lz4 wrapped it.
#pragma once

#include "base/result.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"

namespace jrec {

// What has no chunk in its first 256 kB is no recording: that is noted, and nothing of it is written.
// kSystem: it cannot be read, or the scratch file not be written. Where the wrapping is damaged, or more comes out than
// input_limits() allows, that is noted with its offset in the stream, and the file has what came so far.
base::Result<jfr::read::MappedFile> copy_to_scratch(int from, jfr::read::Problems& problems);

}  // namespace jrec
