// SPDX-License-Identifier: Apache-2.0
// ConvertThreads keeps samples by thread, for the formats that want one list a thread: 32 bytes a sample.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jrec/profile/sample_stream.h"

namespace jrec {

class ConvertThreads {
 public:
  void add(const SampleChunk& chunk) {
    for (const TimedSample& sample : chunk.samples) {
      if (threads_.size() <= sample.thread) threads_.resize(sample.thread + 1);
      threads_[sample.thread].push_back(sample);
    }
  }

  size_t size() const { return threads_.size(); }

  // In the order of time: chunks follow each other, but their ends may overlap.
  const std::vector<TimedSample>& samples(size_t thread) {
    std::stable_sort(threads_[thread].begin(), threads_[thread].end(),
                     [](const TimedSample& a, const TimedSample& b) { return a.time_ns < b.time_ns; });
    return threads_[thread];
  }

 private:
  std::vector<std::vector<TimedSample>> threads_;  // by thread of the stream
};

}  // namespace jrec
