// SPDX-License-Identifier: Apache-2.0
// Makes one recording of finished chunks: their bytes back to back, the last one marked as the final chunk. Written
// under a random name beside the target (0600) and renamed, so that the target is whole or not there; a plain file that
// was there is replaced at one instant, a symbolic link is refused. The target's directory has to be safe
// (private_directory.h). The chunks stay. Not signal-safe.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace rec {

using base::Status;

Status assemble(const std::vector<std::string>& chunks, const std::string& filename);

// For the only chunk of a recording that is over: a rename, where both are on one file system. False: nothing happened.
bool move_chunk(const std::string& chunk, const std::string& filename);

}  // namespace rec
