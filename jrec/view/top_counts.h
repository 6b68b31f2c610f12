// SPDX-License-Identifier: Apache-2.0
// TopCounts adds up the samples that LiveRecording hands out: by method and thread, in the current window and since the
// beginning.
//
// Samples are jdk.ExecutionSample by their field `weight`, or jdk.CPUTimeSample where there are none, or else those of the wall clock
// by their field `samples`. A method is counted when it is on top
// of the stack; a sample without a stack under [no stack].
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/reader/chunk.h"

namespace jrec {

struct TopCount {
  uint64_t window = 0;
  uint64_t total = 0;
};

class TopCounts {
 public:
  using Table = std::map<std::string, TopCount>;
  using Sorted = std::vector<std::pair<const std::string*, TopCount>>;

  void add(jfr::read::Chunk& chunk, const std::vector<jfr::read::Event>& events);
  void next_window();

  const TopCount& samples() const { return samples_; }
  bool of_wall() const { return sampler_ == Sampler::kWall; }
  // When the first chunk of what is counted began, "14:02:07" by its own time zone; empty before there was any.
  const std::string& since() const { return since_; }
  const TopCount& losses() const { return losses_; }  // what the recording says is missing
  // Which, and how: those of the window first, then those of the whole time; or the other way round.
  struct Wanted {
    bool by_total = false;
    std::string part;  // of the name; empty: all
  };
  // At most `count` of them.
  Sorted hottest(size_t count, const Wanted& wanted) const { return sorted(methods_, count, wanted); }
  Sorted busiest(size_t count, const Wanted& wanted) const { return sorted(threads_, count, wanted); }

 private:
  enum class Sampler : uint8_t { kNone, kWall, kCpuTime, kExecution };  // the last one there is counts
  static Sampler sampler_of(std::string_view type);
  bool is_counted(std::string_view type);
  static Sorted sorted(const Table& table, size_t count, const Wanted& wanted);
  static void count(TopCount& count, uint64_t weight) { count.window += weight, count.total += weight; }

  TopCount samples_, losses_;
  Sampler sampler_ = Sampler::kNone;  // whose samples these are
  std::string since_;
  Table methods_, threads_;
};

}  // namespace jrec
