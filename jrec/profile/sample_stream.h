// SPDX-License-Identifier: Apache-2.0
// SamplePass reads a recording once, for one kind of samples or several; SampleStream is what has come of a kind so
// far.
//
//   chunk --any thread--> ChunkSamples of each kind --in the order of the file--> SampleStream --> visit(SampleChunk)
//
// What grows with the recording is the tree and the threads; the samples of a chunk are gone when its visit ends, so
// memory is bounded by a few chunks (40 bytes a sample) and by what is distinct. Sums are those of read_profile()
// (profile.h), whatever the options.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jrec/input/recording.h"
#include "jrec/profile/chunk_samples.h"
#include "jrec/profile/profile.h"

namespace jrec {

struct SampleChunk {
  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  uint64_t period_ns = 0;  // 0: unknown
  std::span<const TimedSample> samples;
  uint64_t rescale = 1;  // weights of the chunks before are to be multiplied by it: they have become nanoseconds
};

class SampleStream {
 public:
  // What the recording's headers and event types say; good from the start.
  const std::string& event_type() const {
    return profile_.event_type;
  }  // where several are added up, the first with events
  const std::string& event_types() const { return profile_.event_types; }  // all of them, in words
  bool wall() const { return wall_; }
  bool passes_time() const { return wall() || unit() == "ns"; }  // a sample is of the time from it on
  const std::string& unit() const { return profile_.unit; }      // of a weight: "samples", "bytes", "ns"
  int64_t start_ns() const { return profile_.start_ns; }
  int64_t since_start(int64_t time_ns) const;                    // 0 for a time that cannot be
  uint64_t duration_ns() const { return profile_.duration_ns; }  // from the first chunk's start to the last one's end

  // These grow while chunks are visited. Node, thread, context and state of a sample are places in them.
  const StackTree& tree() const { return profile_.tree; }
  const NativeFrames& natives() const { return natives_; }  // if they are asked for
  const std::vector<SampleThread>& threads() const { return threads_; }
  const std::vector<SampleContext>& contexts() const { return contexts_; }  // the first says: none
  const std::vector<std::string>& states() const {
    return states_;
  }  // the first says: not known; if they are asked for
  uint64_t samples() const { return profile_.samples; }
  uint64_t truncated() const { return profile_.truncated; }
  // What a weight stands for; where that is not asked for, or is one nanosecond, the last that was known.
  uint64_t period_ns() const { return profile_.weight.ns() > 1 ? profile_.weight.ns() : period_ns_; }

 private:
  friend class SamplePass;

  using Visit = std::function<void(const SampleChunk&)>;
  void take(ChunkSamples&& part, const Visit& visit);
  void take_sums(ChunkSamples&& part);
  uint64_t bring_to_unit(ChunkSamples& part);  // the factor for what was taken before
  void take_counts(const ChunkSamples& part);  // events without a weight are counted, whatever the unit of their kind
  uint64_t time_behind(const TimedSample& sample) const;
  uint32_t intern_thread(const SampleThread& thread);
  uint32_t intern_context(const SampleContext& context);
  uint32_t intern_state(const std::string& state);

  Profile profile_;
  std::set<std::string> told_types_;  // those of profile_.event_types
  NativeFrames natives_;
  bool wall_ = false;
  bool counts_samples_ = false;
  std::vector<SampleThread> threads_;
  std::map<SampleThread, uint32_t> thread_ids_;
  std::vector<SampleContext> contexts_{1};
  std::map<SampleContext, uint32_t> context_ids_{{{}, 0}};
  std::vector<std::string> states_{1};  // a handful
  uint64_t period_ns_ = 0;
};

class SamplePass {
 public:
  // The recording is looked through for what of each kind it has. It must be open, and outlive this.
  // A filter or a kind that makes no sense is refused (recording.h): nothing is read, and finish() tells.
  SamplePass(Recording& recording, const ProfileOptions& options);  // of options.event
  SamplePass(Recording& recording, const ProfileOptions& options, std::span<const std::string> kinds);

  const SampleStream& stream(size_t kind = 0) const { return streams_[kind]; }
  // The part of the recording's time that the filter leaves.
  TimeRange chosen_time() const;

  // One of these, once.
  void read(const std::function<void(const SampleChunk&)>& visit);  // of a single kind
  void read_all(const std::function<void(size_t kind, const SampleChunk&)>& visit);
  Profile read_sums();                                                         // of a single kind
  Profile read_profile(const std::function<void(const SampleChunk&)>& visit);  // likewise

 private:
  void look_through();
  void read_parts(SampleDetail detail, const std::function<void(size_t kind, ChunkSamples&&)>& take);

  Recording& recording_;
  const ProfileOptions options_;
  const std::vector<std::string> kinds_;  // whose names what is chosen looks at
  Filter filter_;
  std::vector<ChosenSamples> chosen_;  // of each kind
  std::deque<SampleStream> streams_;   // of each kind; they stay where they are
};

}  // namespace jrec
