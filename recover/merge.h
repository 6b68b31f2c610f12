// SPDX-License-Identifier: Apache-2.0
// Files of chunks become one recording: whole chunks of ours as they are, anything else as far as it can be repaired.
//
//   path -> look_at_chunk(): as it was written? -> add_chunk()
//                            else               -> said, and repair_part()
//
// The agent takes make_recording() (dead_repository.h), which repairs nothing and has a limit to its memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recover/leftover_spools.h"
#include "recover/recovered_file.h"
#include "recover/tally.h"

namespace rec {

struct MergeTarget {
  std::string path;
  RecoveredFile::Replaces replaces;
  bool dry_run;  // only looks
  // Called when the recording is written and synced, and has no name yet.
  std::function<void(int file)> before_its_name = {};
};

// In the order given. True: the recording is at the target, and whole; false: there was nothing to write.
Result<bool> merge_chunks(const std::vector<std::string>& chunks, const MergeTarget& target, Tally& tally);

// Likewise of spools whose directory of chunks is not here. The spools stay.
Result<bool> merge_orphan(LeftoverSpools& spools, const MergeTarget& target, Tally& tally);

}  // namespace rec
