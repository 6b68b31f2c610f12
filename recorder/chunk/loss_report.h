// SPDX-License-Identifier: Apache-2.0
// LossReport turns the counters into the events at a chunk's end: rec.Counters for each cause that counts, jdk.DataLoss
// and jdk.CPUTimeSamplesLost when samples were lost. Everything counts since the last report that reached a chunk: so
// `samples` is what is in this very chunk, and in those before it that failed before they could say so. Summed over a
// recording, samples emitted = `samples` + all losses. Recorder thread only.
#pragma once

#include <array>
#include <cstdint>

#include "recorder/chunk/event_encoder.h"
#include "recorder/spool/loss.h"
#include "recorder/spool/sample_event.h"
#include "recorder/spool/spool_layout.h"

namespace rec {

class LossReport {
 public:
  LossReport(const LossCounters& counters, SampleEvent sample_event);
  void encode(EventEncoder& out, int64_t ticks);
  void written();                                                // what encode() said last is safe
  void add_samples(uint64_t count) { chunk_samples_ += count; }  // committed to the open chunk
  uint64_t unreported_samples() const { return chunk_samples_; }
  void forget_samples() { chunk_samples_ = 0; }  // their chunk is gone; the caller counts Loss::kChunkLost

  // Since the recording began.
  uint64_t samples() const { return since_start(Note::kSamples); }
  uint64_t lost() const { return look().lost() - start_.lost(); }
  uint64_t lost_written() const { return reported_.lost() - start_.lost(); }  // those of them that chunks tell
  uint64_t samples_written() const { return earlier_samples_ + chunk_samples_; }
  uint64_t lost_for_want_of_room() const;
  // What recovery will have to report if the process dies now.
  void save(SpoolHeader& header) const;
  static void clear(SpoolHeader& header);

 private:
  struct Counts {
    std::array<uint64_t, kLossCount> losses{};
    std::array<uint64_t, kNoteCount> notes{};
    uint64_t lost() const;
  };
  Counts look() const;
  uint64_t since_start(Note note) const;
  static void encode_counter(EventEncoder& out, int64_t ticks, const char* cause, uint64_t count, uint64_t total);
  void encode_lost(EventEncoder& out, int64_t ticks) const;

  const LossCounters& counters_;
  SampleEvent sample_event_;
  Counts start_;  // the counters are older than the recording
  Counts reported_;
  Counts seen_;
  uint64_t chunk_samples_ = 0;
  uint64_t earlier_samples_ = 0;  // in chunks before
};

}  // namespace rec
