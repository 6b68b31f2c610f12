// SPDX-License-Identifier: Apache-2.0
// Words of a filter that fit nothing a recording has: most often they are misspelt, and one of a list would be missed by nobody.
//
//   tell_unmatched_words(recording, options)   on stderr: "--state: there is no 'runable'; did you mean runnable?"
//   unmatched_words(recording, options)        the same behind other words: "; --state: there is no ..."; empty where each fits
//   known_threads(recording, option, words)    kUsage, with the nearest: of threads that must not stay
//
// Of --state and --thread, whose words stand among a recording's constants. These are read until each word has met its own, most
// often in the first chunk. Nothing is said of damage.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "jrec/input/recording.h"
#include "jrec/select/filter.h"

namespace jrec {

std::string unmatched_words(Recording& recording, const FilterOptions& options);

// For the end, beside an answer that others of the words made. Not for readings of which nothing is said (Recording::unsaid).
void tell_unmatched_words(Recording& recording, const FilterOptions& options);

base::Status known_threads(Recording& recording, std::string_view option, const std::string& words);

}  // namespace jrec
