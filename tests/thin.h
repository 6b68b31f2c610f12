// SPDX-License-Identifier: Apache-2.0
// How far a test goes on from one case to the next, where it tries thousands that take the same way: by one; with a
// sanitizer, ten times slower, by a number that meets each bit and each alignment in turn.
#pragma once

#include <cstddef>

namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr size_t kThin = 11;
#else
inline constexpr size_t kThin = 1;
#endif

}  // namespace test
