// SPDX-License-Identifier: Apache-2.0
// What a thread dump says of deadlocks. It does so at its end, behind all threads:
//
//   Found one Java-level deadlock:
//   =============================
//   "left":
//     waiting to lock monitor 0x1,
//     which is held by "right"
//   ...
//   Found 1 deadlock.
//
// A thread may have these words for its name, on lines of their own, too; but more of its line comes behind a name, so that no dump ends
// with one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jrec {

// From the first deadlock on; empty: the dump tells of none.
std::string_view deadlock_text(std::string_view dump);

// Who waits, by name, each once; of a few.
std::vector<std::string> deadlocked_threads(std::string_view text);

}  // namespace jrec
