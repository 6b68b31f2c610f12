// SPDX-License-Identifier: Apache-2.0
// A recording of any writer, chunk by chunk, as far as it can be repaired. See repair.h for what is done to a chunk.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "recover/recovered_file.h"
#include "recover/tally.h"

namespace rec {

// A stretch of a recording that chunks do not leave: all of a file, or what came out of one part of an archive.
struct RecordingPart {
  std::span<const uint8_t> bytes;
  uint64_t offset = 0;  // of the stretch in the recording
  bool alone = true;    // there is no other
};

// Appends what can be saved of it to `to` (null: only looks). path: as damage names it. The error is that of the
// output; damage is none.
Status repair_part(const RecordingPart& part, const std::string& path, RecoveredFile* to, Tally& tally);

}  // namespace rec
