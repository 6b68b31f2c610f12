// SPDX-License-Identifier: Apache-2.0
// SamplePart is the samples of one chunk, by themselves: with a tree and threads of their own, sorted by time.
//
// Any thread may read one: it shares nothing. SampleStream puts parts together.
#pragma once

#include <cstdint>
#include <vector>

#include "jrec/profile/profile.h"
#include "jrec/profile/sample_events.h"
#include "jrec/profile/sample_survey.h"
#include "jrec/profile/sample_threads.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

struct SamplePart {
  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  uint64_t period_ns = 0;  // 0: the settings of this chunk do not tell
  StackTree tree;          // node and thread of a sample are places in these
  std::vector<SampleThread> threads;
  std::vector<SampleEvent> samples;
  uint64_t truncated = 0;  // of these
};

SamplePart read_sample_part(jfr::read::Chunk& chunk, const SampleSurvey& survey, const Filter& filter,
                            const ProfileOptions& options);

}  // namespace jrec
