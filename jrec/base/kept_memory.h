// SPDX-License-Identifier: Apache-2.0
// Whoever packs or unpacks chunk after chunk frees for each what the next one asks for again. From the C library's usual
// limits on it goes back to the system meanwhile, and new pages take up to a tenth of the time.
#pragma once

namespace jrec {

// From now on memory that is freed stays with the process, but for pieces of more than 32 MB. Before other threads begin.
void keep_freed_memory();

}  // namespace jrec
