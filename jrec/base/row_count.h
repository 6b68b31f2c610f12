// SPDX-License-Identifier: Apache-2.0
// How many rows -n and --rows ask for: 0 is all of them, in every command.
#pragma once

#include <cstddef>
#include <limits>

namespace jrec {

inline size_t most_rows(size_t asked) { return asked == 0 ? std::numeric_limits<size_t>::max() : asked; }

}  // namespace jrec
