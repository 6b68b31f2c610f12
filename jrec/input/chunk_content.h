// SPDX-License-Identifier: Apache-2.0
// Whether two chunks hold the same, so that one of them is enough.
#pragma once

#include "format/reader/chunk.h"
#include "jrec/input/input.h"

namespace jrec {

// Byte for byte, but for the header: the last chunk of a dump says there that it is the last.
bool same_bytes(const Stretch& ours, const Stretch& theirs);

// Whether one was copied while the other was written: the other begins with what it holds. That half of it is there is enough, as its end may be torn.
// What cut makes of a chunk begins then, too, but holds other events.
bool is_beginning_of(const Stretch& shorter, const Stretch& longer);

// The same events at the same times, in the same order, and the same constants: as one chunk that merge has put on another clock, with other numbers
// for its types. False where there are none.
bool same_events(jfr::read::Chunk& ours, jfr::read::Chunk& theirs);

}  // namespace jrec
