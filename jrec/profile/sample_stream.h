// SPDX-License-Identifier: Apache-2.0
// SampleStream reads the events of one kind one by one, in the order of time: who ran what, when, and for how much.
//
//   chunk --any thread--> its samples, sorted by time --in the order of the file--> visit(SampleChunk)
//
// What grows with the recording is the tree and the threads; the samples of a chunk are gone when its visit ends, so
// memory is bounded by a few chunks (40 bytes a sample) and by what is distinct. Profile (profile.h) is the same
// samples without time and thread: the sums of both are equal, whatever the options.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jrec/input/recording.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_part.h"

namespace jrec {

struct SampleChunk {
  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  uint64_t period_ns = 0;  // 0: unknown
  std::span<const SampleEvent> samples;
};

class SampleStream {
 public:
  using Visit = std::function<void(const SampleChunk&)>;

  SampleStream(Recording& recording, const ProfileOptions& options);

  // What the recording's headers and event types say; good from the start.
  const std::string& event_type() const {
    return survey_.event_type;
  }  // where several are added up, the first with events
  bool wall() const { return survey_.wall; }
  const std::string& unit() const { return unit_; }  // of a weight: "samples", "bytes", "ns"
  int64_t start_ns() const { return survey_.start_ns; }
  int64_t since_start(int64_t time_ns) const;                   // 0 for a time that cannot be
  uint64_t duration_ns() const { return survey_.duration_ns; }  // from the first chunk's start to the last one's end

  // Reads all. Call once.
  void read(const Visit& visit);

  // These grow while chunks are visited.
  const StackTree& tree() const { return tree_; }
  const std::vector<SampleThread>& threads() const { return threads_; }
  uint64_t samples() const { return samples_; }
  uint64_t truncated() const { return truncated_; }
  uint64_t period_ns() const { return period_ns_; }  // the last that was known

 private:
  void take(SamplePart&& part, const Visit& visit);
  uint64_t time_behind(const SampleEvent& sample) const;
  uint32_t intern_thread(const SampleThread& thread);

  Recording& recording_;
  ProfileOptions options_;
  Filter filter_;
  SampleSurvey survey_;
  std::string unit_;
  StackTree tree_;
  std::vector<SampleThread> threads_;
  std::map<SampleThread, uint32_t> thread_ids_;
  uint64_t samples_ = 0, truncated_ = 0, period_ns_ = 0;
};

}  // namespace jrec
