// SPDX-License-Identifier: Apache-2.0
// One JVM that rec and the JDK have recorded at the same time, each into a file of its own: whoever reads both as one recording has twice
// what both tell of, such as samples, allocations and threads.
#pragma once

#include "jrec/input/chunk_copies.h"
#include "jrec/input/input.h"

namespace jrec {

// Whether two of the files are such recordings. Only of what is mapped; the metadata of each chunk is read.
bool is_recorded_twice(Input& input, const ChunkCopies& copies);

}  // namespace jrec
