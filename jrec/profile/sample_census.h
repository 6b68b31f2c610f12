// SPDX-License-Identifier: Apache-2.0
// What of samples a recording has, for when there are none of the kind that somebody asked for.
//
//   known_kind(recording, "alocc")      kUsage, with the nearest and with what there is, unless it is a kind of samples of
//                                       event_names.h or a type of the recording whose events have stacks
//   tell_no_samples(recording, ...)     a line on stderr, and the same as a text: "no samples of cpu; there are alloc
//                                       (1204), lock (31)"; nothing when the recording was refused or cannot be read
//
// They read the recording once more, and say nothing of its damage.
#pragma once

#include <string>

#include "base/result.h"
#include "jrec/input/recording.h"
#include "jrec/profile/profile.h"

namespace jrec {

base::Status known_kind(Recording& recording, const std::string& kind);
std::string tell_no_samples(Recording& recording, const ProfileOptions& options, const std::string& kinds);

}  // namespace jrec
