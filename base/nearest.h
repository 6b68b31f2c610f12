// SPDX-License-Identifier: Apache-2.0
// What a user may have meant: the nearest of a few words to a misspelt one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace base {

// Letters to insert, delete, replace, or swap with their neighbour to turn one word into the other. Case does not
// count.
size_t edit_distance(std::string_view a, std::string_view b);

// The nearest word, the first of several; empty when none is near: further than a third of the longer one's letters,
// and at least 2.
std::string nearest(std::string_view word, std::span<const std::string_view> words);
std::string nearest(std::string_view word, std::span<const std::string> words);

}  // namespace base
