// SPDX-License-Identifier: Apache-2.0
// SampleEvents collects the samples of one chunk, one by one, without names: stacks, classes and threads are keys.
//
//   add(event) --> samples: { time, weight, place in stacks, place in threads }, 32 bytes each
//
// It takes events of as many types as it is given layouts for.
#pragma once

#include <cstdint>
#include <vector>

#include "jrec/profile/sample_layout.h"

namespace jrec {

struct SampleEvent {
  int64_t time_ns = 0;  // since the Unix epoch
  uint64_t weight = 0;  // as in Profile
  uint64_t ns = 0;      // the time that it stands for: weight x period; 0 when the recording does not tell
  uint32_t node = 0;    // where its stack ends: of the tree; here: of stacks
  uint32_t thread = 0;  // of the stream's threads; here: of threads
};

// How often a stack came, and what that weighs.
struct StackWeight {
  uint64_t weight = 0, samples = 0;
};
using StackWeights = jfr::read::KeyTable<StackWeight, StackKey, SampleKeyHash>;

class SampleEvents {
 public:
  explicit SampleEvents(jfr::read::Chunk& chunk) : reader_(chunk) {}

  void add(const jfr::read::Event& event, const SampleLayout& layout);

  std::vector<SampleEvent> samples;
  StackWeights stacks;
  struct Nothing {};
  jfr::read::KeyTable<Nothing, ConstantKey, SampleKeyHash> threads;

 private:
  SampleReader reader_;
};

}  // namespace jrec
