// SPDX-License-Identifier: Apache-2.0
// Whether two chunks hold the same, so that one of them is enough.
#pragma once

#include "format/reader/chunk.h"
#include "jrec/input/input.h"

namespace jrec {

// Byte for byte, but for the header: the last chunk of a dump says there that it is the last.
bool same_bytes(const Stretch& ours, const Stretch& theirs);

// The same events at the same times, in the same order, and the same constants: as one chunk that merge has put on another clock, with other numbers
// for its types. False where there are none.
bool same_events(jfr::read::Chunk& ours, jfr::read::Chunk& theirs);

}  // namespace jrec
