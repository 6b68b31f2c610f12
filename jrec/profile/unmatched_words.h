// SPDX-License-Identifier: Apache-2.0
// Words of a filter that fit nothing a recording has, for when nothing passed it: most often they are misspelt.
//
//   unmatched_words(recording, options)   "; --state: there is no 'runable'; did you mean runnable?"; empty where each fits something
//
// Of --state and --thread, whose words stand among a recording's constants. Reads these of all chunks, and says nothing of damage.
#pragma once

#include <string>

#include "jrec/input/recording.h"
#include "jrec/select/filter.h"

namespace jrec {

std::string unmatched_words(Recording& recording, const FilterOptions& options);

}  // namespace jrec
