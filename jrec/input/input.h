// SPDX-License-Identifier: Apache-2.0
// Input is how every command opens a recording: a file, a pipe, "-" for standard input; as it is, or wrapped by gzip,
// zstd or lz4, which is told by the first bytes and not by the name; an archive or its members, ARCHIVE.recz:MEMBER.
//
//   regular file, plain      -> mapped
//   members of an archive    -> restored into a scratch file (archive_input.h)
//   pipe, or wrapped         -> copied or unpacked into a scratch file (scratch_file.h), that is mapped
//
// Several gzip members, zstd frames or lz4 frames one behind the other are one recording. Memory does not grow with
// the input. What is unpacked is limited: a small file must not fill the disk. At a limit, and where the wrapping is
// damaged, unpacking ends, a problem is noted with its offset in the wrapped file, and what came out so far is the
// input: its chunks are good.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"
#include "jrec/input/recording_span.h"

namespace jrec {

struct InputLimits {
  // Recordings shrink to a tenth, seldom to a twentieth; more than that is a bomb or a curiosity.
  uint64_t ratio = 64;
  uint64_t unpacked_bytes = uint64_t{16} << 30;
};

// Below this the ratio does not matter: whoever holds a recording of that size has the room.
inline constexpr uint64_t kFreeOfRatio = uint64_t{16} << 20;
// The largest window of zstd that is accepted (as `zstd --long` makes): 128 MiB of memory.
inline constexpr int kLargestZstdWindowLog = 27;

// What the user said, for all inputs of this process. Set before the first is opened.
InputLimits& input_limits();

// kSystem and kUsage: there is nothing to read. Anything else is noted in `problems`, and the bytes may be empty.
// Of an archive, only what may be in the range that is chosen.
base::Result<jfr::read::MappedFile> open_input(const std::string& path, jfr::read::Problems& problems,
                                               const TimeChoice& choose, TimeRange& range);
base::Result<jfr::read::MappedFile> open_input(const std::string& path, jfr::read::Problems& problems);

}  // namespace jrec
