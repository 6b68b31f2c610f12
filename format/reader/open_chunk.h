// SPDX-License-Identifier: Apache-2.0
// A chunk that rec is still writing (format/writer/chunk_file.h) is a valid file at every instant, and another one at the next: new events stand
// where rec.Filler was, and a new header leads to their constants. Who reads it in place may have the events of one instant and the header of
// another. Its bytes are copied here instead, in between two looks at a header that is the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace jfr::read {

// Whether the file, whose bytes may change meanwhile, is one such chunk: behind its last checkpoint rec.Filler reaches to the end.
bool is_open_chunk(std::span<const uint8_t> file);

// All of it as it was at one instant. kSystem: it cannot be read. Where it never stands still for as long as it takes to copy it, as it was last.
base::Result<std::vector<uint8_t>> copy_at_rest(int fd, size_t size);

}  // namespace jfr::read
