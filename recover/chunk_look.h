// SPDX-License-Identifier: Apache-2.0
// A look at one chunk file of ours, closed or left open by a dead process. It walks the events by their sizes, in
// memory of a fixed size, and says how much of the file is in use. Ordinary threads only.
#pragma once

#include <cstdint>
#include <string>

#include "recover/header_patch.h"
#include "recover/recovered_file.h"

namespace rec {

struct ChunkLook {
  Descriptor file;
  uint64_t used = 0;        // bytes, without the filler at its end
  uint64_t checkpoint = 0;  // the newest one that lies in the used bytes
  uint64_t samples = 0;
  int64_t start_unix_ns = 0;
  HeaderBytes header;
};

// kSystem: cannot be read. kCorrupt, with the offset: it is no chunk of ours, or not whole.
Result<ChunkLook> look_at_chunk(const std::string& path);

// Appends the chunk, cut to what is used.
Status add_chunk(RecoveredFile& to, const ChunkLook& chunk, bool last);

}  // namespace rec
