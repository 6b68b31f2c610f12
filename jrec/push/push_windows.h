// SPDX-License-Identifier: Apache-2.0
// PushWindows cuts a stream of samples into windows of equal length, so that a server can tell when what ran.
//
//   chunks in the order of the file --add--> window, window, ...    of whole multiples of `every` since the epoch
//
// A window is given when the chunk that reaches beyond it has been added. What comes later and belongs into it, as an
// event that took long, makes another one of the same time. Windows without samples are not given.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "jrec/profile/sample_stream.h"

namespace jrec {

class PushWindows {
 public:
  using Give = std::function<void(const SampleChunk&)>;

  PushWindows(int64_t every_ns, Give give) : every_ns_(every_ns), give_(std::move(give)) {}

  void add(const SampleChunk& chunk);
  void finish();  // gives what is left

 private:
  void give_first();

  const int64_t every_ns_;
  const Give give_;
  std::map<int64_t, std::vector<TimedSample>> open_;  // by start
  uint64_t period_ns_ = 0;
};

}  // namespace jrec
