// SPDX-License-Identifier: Apache-2.0
// The table of options in words: for a terminal, and for docs/options.md.
#pragma once

#include <string>

namespace rec::agent {

// What `help` prints, no line longer than width (at least 40) unless a single word is.
std::string options_help(int width);

// docs/options.md, whole. A test compares the two.
std::string options_markdown();

}  // namespace rec::agent
