// SPDX-License-Identifier: Apache-2.0
// ChunkWriter turns what an epoch has committed into chunks: one segment after the other, constants with the events
// that need them.
//
//   write_events():  log -> [encode a segment -> append -> mark consumed]*
//   close():         counters, losses, the clock's jump -> finished
//
// Events count as consumed once their segment is committed. A chunk that fails (disk full, directory gone) is left as
// it is: valid up to its last segment. What was not committed is encoded again for the next chunk, which is tried at
// the next flush. A chunk begins no later than what is in it has ended, and no earlier than the one before. An open chunk
// that somebody removes is written again from its descriptor: rescue(). Recorder thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/writer/chunk_file.h"
#include "recorder/chunk/chunk_config.h"
#include "recorder/chunk/clock_watch.h"
#include "recorder/chunk/cpu_load.h"
#include "recorder/chunk/loss_report.h"
#include "recorder/chunk/process_events.h"
#include "recorder/chunk/segment_encoder.h"
#include "recorder/repository/recordings.h"
#include "recorder/repository/spare_descriptors.h"

namespace rec {

class ChunkWriter {
 public:
  // What it works with; outlives it.
  struct Surroundings {
    LossCounters& losses;
    Recordings& recordings;
    SpareDescriptors& spares;
  };
  ChunkWriter(const ChunkConfig& config, ProcessFacts facts, const Surroundings& around);
  ~ChunkWriter();

  // kCurrent: up to the first slot that is not committed yet, and no further than this chunk goes (then full() holds).
  // kClosed: everything; nobody writes any more; opens as many chunks as it takes.
  // Between segments the spool that writers are in, `live`, gets room ahead of them.
  enum class Drain { kCurrent, kClosed };
  base::Status write_events(Spool& spool, Drain drain, Spool& live);

  void change(const ChunkSettings& settings);  // between two chunks
  base::Status open();                         // no effect if a chunk is open
  base::Status close(bool final);              // no effect if none is
  // No effect if the open chunk is where it should be. Else closes it, in the repository made anew.
  base::Status rescue(bool final);
  void abandon();  // the end: what could not be rescued is counted as lost
  // Cuts the filler off chunks that the disk left with it. For when the disk works again, and before chunks become a
  // recording.
  void trim();
  bool full() const;
  bool old() const;
  bool clock_jumped() const { return chunk_ && clock_.jump_ns() != 0; }

  // The spool whose header tells recovery of the counters: the current epoch's. Before each flip, and at each flush.
  void save_counters(Spool& current);
  const LossReport& report() const { return report_; }
  uint64_t open_bytes() const { return chunk_ ? chunk_->size() : 0; }
  bool is_open() const { return chunk_.has_value(); }

 private:
  bool overfull() const;
  bool encode_segment(Spool& spool, Drain drain, uint32_t& slot);
  base::Status append();
  base::Status append_from(Spool& spool, uint32_t slot);
  base::Status append_counters();
  base::Status append_head();
  base::Status finish(bool final);
  void give_up();  // the open chunk failed
  void give_up_gone();
  void forget();
  void tell();  // the chunk is finished
  void tell_of_closing();
  std::string chunk_name() const;

  const ChunkConfig& config_;
  Surroundings around_;
  ProcessEvents process_events_;
  LossReport report_;
  ClockWatch clock_;
  CpuLoad cpu_load_;
  SegmentEncoder encoder_;
  std::optional<jfr::ChunkFile> chunk_;
  bool said_closed_ = false;
  bool has_events_ = false;                     // more than its head
  bool has_counters_ = false;                   // it is to be closed, and nothing else
  std::vector<jfr::UntrimmedChunk> untrimmed_;  // at most kMostUntrimmed
  std::string removed_;                         // where it was when somebody took it away
  SpoolHeader* ledger_ = nullptr;               // where the counters are saved
  uint32_t serial_ = 0;                         // of the chunk, for the facts' written_in
  int64_t opened_ticks_ = 0;
  jfr::ChunkClock before_;  // of the chunk that was finished last
};

}  // namespace rec
