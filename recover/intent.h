// SPDX-License-Identifier: Apache-2.0
// Whether the segment that a process was appending when it died is in its chunk: what was there, the head of the
// filler, is still the first event at that place, or it is not. Ordinary threads only.
#pragma once

#include <cstdint>
#include <string>

#include "recorder/spool/spool_layout.h"

namespace rec {

// How many slots of that spool have reached a chunk: header.consumed, or header.intent_end if that was committed. The
// header is hostile. repository: where the chunks are now.
uint32_t consumed_slots(const SpoolHeader& header, const std::string& repository);

// Whether the counters in the header are those that their chunk has reported already.
bool counters_are_told(const SpoolHeader& header, const std::string& repository);

// The name of the chunk the spool speaks of; empty if it speaks of none, or says what is no file name.
std::string intended_chunk(const SpoolHeader& header);

}  // namespace rec
