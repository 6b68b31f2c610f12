// SPDX-License-Identifier: Apache-2.0
// Makes one recording of finished chunks: their bytes back to back, the last one marked as the final chunk. Written
// under a random name beside the target (0600) and renamed, so that the target is whole or not there. Where a file stands
// that `replaces` does not allow, it goes beside it (base/new_file.h: NAME-2.jfr); what is no plain file is refused: a
// link, a directory, a device, a pipe. The target's directory has to be safe (private_directory.h). The chunks stay. Not
// signal-safe.
#pragma once

#include <string>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"

namespace rec {

using base::Result;
using base::Status;
using Replaces = base::NewFile::Replaces;

// The path of the recording.
Result<std::string> assemble(const std::vector<std::string>& chunks, const std::string& filename, Replaces replaces);

// A new file at `to`, 0600, with what is in the chunk. An error may leave a part of it.
Status copy_chunk(const std::string& chunk, const std::string& to);

// For the only chunk of a recording that is over: a rename, where both are on one file system. An error: nothing
// happened.
Result<std::string> move_chunk(const std::string& chunk, const std::string& filename, Replaces replaces);

}  // namespace rec
