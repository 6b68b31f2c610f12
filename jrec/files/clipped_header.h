// SPDX-License-Identifier: Apache-2.0
// The header of a chunk whose events have become fewer: it begins and ends with the time that they were chosen by, so that what counts by the
// second (rates, findings, summaries) counts the seconds that are there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "format/header_layout.h"
#include "format/reader/chunk_header.h"
#include "jrec/input/recording_span.h"

namespace jrec {

using HeaderBytes = std::array<uint8_t, jfr::kHeaderSize>;

// `time` as far as it lies within the chunk's own; a chunk outside of it keeps its own. Moment and tick of the start move together, so that events stay
// where they are: to a nanosecond, where a tick is none.
HeaderBytes clipped_header(const HeaderBytes& old, const jfr::read::ChunkHeader& parsed, const TimeRange& time);

// One of the header's numbers of eight bytes.
void put_header_number(HeaderBytes& header, size_t offset, int64_t value);

}  // namespace jrec
