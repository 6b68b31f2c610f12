// SPDX-License-Identifier: Apache-2.0
// Cuts of a recording may overlap in time. Chunks of theirs that come of one chunk are told by its metadata, which is written once and
// has its own time, and by their clock, which a cut keeps. Of events nobody knows whether they are the same.
//
//   the chunk   [========================)
//   one file      [==========)                both of it, and of one time: counted here
//   another             [==========)
#pragma once

#include <cstddef>

#include "jrec/input/chunk_copies.h"
#include "jrec/input/input.h"

namespace jrec {

// How many chunks of the files are parts of one that another file has a part of, too, of a time that overlaps. Parts of the very
// same time are none: who cuts by threads has such ones. Only of what is mapped; two pages of each chunk are read.
size_t overlapping_parts(Input& input, const ChunkCopies& copies);

}  // namespace jrec
