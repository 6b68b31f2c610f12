// SPDX-License-Identifier: Apache-2.0
// How many chunks are read at once: --jobs, or as many as this process may use processors, and kMostJobs at most, for
// each chunk that is being read takes memory.
#pragma once

#include <cstddef>

namespace jrec {

inline constexpr size_t kMostJobs = 8;  // unless the user says more

// At least 1.
size_t jobs();

// 0: by the processors. Set before the first recording is read.
void set_jobs(size_t count);

}  // namespace jrec
