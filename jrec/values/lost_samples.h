// SPDX-License-Identifier: Apache-2.0
// Which counters of rec.Counters say that a sample, or its stack, is missing; the others are the samples that are there, and facts
// about these.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace jrec {

// noJavaFrame, walkFailed, mayNotFault and noScratch were losses before a frame stood in for a stack that is not walked.
inline constexpr std::array<std::string_view, 25> kLostSamples = {
    "notRecording",      "noThread",     "noScratch",       "epochMoving",   "logFull",
    "logContended",      "arenaFull",    "stackTableFull",  "chunkLost",     "signalBlocked",
    "noClock",           "kernelUnseen", "threadUnseen",    "spoolDamaged",  "noJavaFrame",
    "walkFailed",        "mayNotFault",  "allocationsLost", "lockWaitsLost", "mallocsLost",
    "mallocsUnfollowed", "freesLost",    "exceptionsLost",  "spansLost",     "stacksLost"};

inline bool is_lost_sample(std::string_view cause) {
  return std::find(kLostSamples.begin(), kLostSamples.end(), cause) != kLostSamples.end();
}

}  // namespace jrec
