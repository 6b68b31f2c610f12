// SPDX-License-Identifier: Apache-2.0
// What the user probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jrec {

// The candidate that takes the fewest edits to make of `word`; empty when even that takes more than half of the word.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace jrec
