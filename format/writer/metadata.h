// SPDX-License-Identifier: Apache-2.0
// The metadata event describes every type that our chunks use, so that a reader needs no other knowledge of them.
// Its form is in metadata_element.h. The types are declared once, as tables: metadata_constants.cpp (annotations,
// constants, primitives) and metadata_events.cpp, in the words of metadata_schema.h.
#pragma once

#include <cstdint>

#include "format/writer/byte_sink.h"

namespace jfr {

// Where the recording was made. The JDK's tools print times in that offset.
struct Region {
  int32_t gmt_offset_ms = 0;  // to be added to UTC, daylight saving included
};

// Appends the metadata event. The same region gives the same bytes but for start_ticks.
void encode_metadata(ByteSink& out, int64_t start_ticks, Region region = {});

}  // namespace jfr
