// SPDX-License-Identifier: Apache-2.0
// How many were how long, in steps of two: 8 to 16 ms, 16 to 32 ms, ... A line of text each.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace jrec {

// Lengths that are not known are negative, and left out.
void add_histogram(std::span<const int64_t> lengths_ns, std::string& out);

}  // namespace jrec
