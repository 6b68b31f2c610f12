// SPDX-License-Identifier: Apache-2.0
// What a program's words become for the shell and for man.
//
//   words --> completion(words, Shell::kBash | kZsh)       the text of a completion script
//         --> manual(words)                                the text of jrec(1)
#pragma once

#include <string>

#include "jrec/base/command_words.h"

namespace jrec {

enum class Shell { kBash, kZsh };
std::string completion(const ProgramWords& words, Shell shell);
std::string manual(const ProgramWords& words);

}  // namespace jrec
