// SPDX-License-Identifier: Apache-2.0
// What jrec says when nothing is asked of it: its commands by topic, a line each topic, and three examples.
#pragma once

#include <string>

#include "jrec/base/command_words.h"

namespace jrec {

std::string short_help(const ProgramWords& words);

}  // namespace jrec
