// SPDX-License-Identifier: Apache-2.0
// A look at one chunk file of ours, closed or left open by a dead process: how much of it is in use, and whether that is
// what was written. It walks the events by their sizes and holds each stretch against its checksum
// (format/segment_sum.h), in memory of a fixed size. Ordinary threads only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recover/header_patch.h"
#include "recover/recovered_file.h"

namespace rec {

struct ChunkLook {
  Descriptor file;
  uint64_t used = 0;        // bytes, without the filler at its end
  uint64_t checkpoint = 0;  // the newest one
  uint64_t samples = 0;
  bool counted = false;  // it has the counters that a finished chunk ends with
  HeaderBytes header;    // as it was
  int64_t end_ticks = 0;
  std::vector<base::Error> ruined;  // stretches that are not what was written, by their offsets; at most kMostRuined
};
inline constexpr size_t kMostRuined = 100;

// For a chunk, of ours or of JFR. kUsage: it is no plain file (a link, a pipe, a device); kLimit: larger than a chunk can
// be; kSystem: it cannot be opened. Never blocks.
Result<Descriptor> open_chunk(const std::string& path, uint64_t most_bytes);

// As open_chunk(); kCorrupt, with the offset: it is no chunk of ours, or its events cannot be followed.
Result<ChunkLook> look_at_chunk(const std::string& path);

// Appends a chunk of which nothing is ruined, cut to what is used.
Status add_chunk(RecoveredFile& to, const ChunkLook& chunk, bool last);

}  // namespace rec
