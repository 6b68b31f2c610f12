// SPDX-License-Identifier: Apache-2.0
// SampleSurvey is what has to be known before samples are read: which types of events, and the span of the recording.
// It passes over the events, where there is a choice of types, and decodes none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jrec/input/recording.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_layout.h"

namespace jrec {

struct SampleSurvey {
  SampleKind::Types types;   // whose samples are added up
  std::string event_type;    // the first of them that has events
  int64_t start_ns = 0;      // of the first chunk
  uint64_t duration_ns = 0;  // from there to the end of the last
  bool wall = false;         // samples of CPU time are left out
};

SampleSurvey survey_samples(Recording& recording, const SampleKind& kind);

// The layouts of those of its types that the chunk has.
std::vector<SampleLayout> layouts_of(const SampleSurvey& survey, const jfr::read::Chunk& chunk, bool count_samples);

}  // namespace jrec
