// SPDX-License-Identifier: Apache-2.0
// ChunkSamples is the samples of one kind in one chunk, by themselves: with a tree and threads of their own.
//
//   event --SampleReader--> stack, class and thread as keys --summed up by key--> each distinct key named once
//
// Any thread may read one: it shares nothing. SampleStream puts them together (sample_stream.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/growing_array.h"
#include "jrec/profile/native_frames.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_choice.h"
#include "jrec/profile/sample_names.h"
#include "jrec/profile/stack_tree.h"
#include "jrec/select/chunk_contexts.h"

namespace jrec {

struct TimedSample {
  int64_t time_ns = 0;   // since the Unix epoch; of a live object, when it was allocated
  uint64_t weight = 0;   // as in Profile
  uint64_t ns = 0;       // the time that it stands for: weight x period; 0 when the recording does not tell
  uint32_t node = 0;     // where its stack ends in the tree
  uint32_t thread = 0;   // place in the threads
  uint32_t context = 0;  // of the request that it was taken in, place in the contexts, of which the first says: none
  uint32_t state = 0;    // of the thread, place in the states, of which the first says: not known
};

enum class SampleDetail : uint8_t { kSums, kEach };  // kSums: no times, threads, periods

struct ChunkSamples {
  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  std::string event_type;   // whose samples these are
  uint64_t period_ns = 0;   // 0: the settings of this chunk do not tell
  uint64_t weight_ns = 0;   // what a weight stands for (weight_unit.h); 0: unknown, or not asked for
  bool weighed = false;     // the events tell what they weigh
  bool has_events = false;  // in the chosen time, whatever the filter leaves of them
  uint64_t count = 0;
  uint64_t truncated = 0;       // of these: outer frames are missing
  uint64_t longest_cut = 0;     // frames of the longest of those that are truncated
  uint64_t without_stack = 0;   // of these
  void scale(uint64_t factor);  // all weights
  StackTree tree;
  std::vector<double> squares;  // by node: of the weights of the draws that end there; empty where each sample is told
  NativeFrames natives;         // if they are asked for
  std::vector<SampleThread> threads;
  std::vector<SampleContext> contexts;      // that there are in the chunk, behind the one that says: none
  std::vector<std::string> states;          // STATE_RUNNABLE, STATE_SLEEPING; the first is empty; if they are asked for
  base::GrowingArray<TimedSample> samples;  // by time; empty where only sums are asked for
};

// The events of the chunk are walked once, for all kinds. One result for each of them.
std::vector<ChunkSamples> read_chunk_samples(jfr::read::Chunk& chunk, std::span<const ChosenSamples> kinds,
                                             const Filter& filter, const ProfileOptions& options, SampleDetail detail);

}  // namespace jrec
