// SPDX-License-Identifier: Apache-2.0
// ChunkWriter turns what an epoch has committed into chunks: one segment after the other, constants with the events
// that need them.
//
//   write_events():  log -> [encode a segment -> append -> mark consumed]*      close(): counters, losses -> finished
//   chunk
//
// Events count as consumed once their segment is committed. A chunk that fails (disk full, directory gone) is left as
// it is: valid up to its last segment. What was not committed is encoded again for the next chunk, which is tried at
// the next flush. Recorder thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "format/chunk_file.h"
#include "recorder/cpu_load.h"
#include "recorder/engine_config.h"
#include "recorder/loss_report.h"
#include "recorder/process_events.h"
#include "recorder/repository.h"
#include "recorder/segment_encoder.h"

namespace rec {

class ChunkWriter {
 public:
  ChunkWriter(const EngineConfig& config, ProcessFacts facts, const LossCounters& losses, Repository& repository);

  // kCurrent: up to the first slot that is not committed yet, and no further than this chunk goes (then full() holds).
  // kClosed: everything; nobody writes any more; opens as many chunks as it takes.
  // Between segments the spool that writers are in, `live`, gets room ahead of them.
  enum class Drain { kCurrent, kClosed };
  jfr::Status write_events(Spool& spool, Drain drain, Spool& live);

  jfr::Status open();             // no effect if a chunk is open
  jfr::Status close(bool final);  // no effect if none is
  bool full() const;
  bool old() const;

 private:
  bool overfull() const;
  bool encode_segment(Spool& spool, Drain drain, uint32_t& slot);
  jfr::Status append();
  jfr::Status append_head();
  void give_up();  // the open chunk failed

  const EngineConfig& config_;
  Repository& repository_;
  ProcessEvents process_events_;
  LossReport loss_report_;
  CpuLoad cpu_load_;
  SegmentEncoder encoder_;
  std::optional<jfr::ChunkFile> chunk_;
  uint32_t serial_ = 0;  // of the chunk, for the facts' written_in
  int64_t opened_ticks_ = 0;
};

}  // namespace rec
