// SPDX-License-Identifier: Apache-2.0
// Rotation moves what writers commit from the epochs into chunks.
//
//   flush():   what is committed -> the open chunk
//   rotate():  shift epoch, quiesce, write the rest; close; open next, drop
//
// When the disk refuses, the closing epoch waits as it is and is tried again at each flush; until it is written nothing
// is flipped, and the current epoch fills up to its limits. Recorder thread only.
#pragma once

#include <functional>
#include <string>

#include "recorder/chunk/chunk_writer.h"
#include "recorder/engine/engine_config.h"
#include "recorder/epoch/epochs.h"
#include "recorder/spool/spool_budget.h"

namespace rec {

class Rotation {
 public:
  Rotation(const EngineConfig& config, ProcessFacts facts, EpochGate& gate, base::Waker& waker,
           const ChunkWriter::Surroundings& around);

  base::Status prepare();  // spools, first chunk
  void open();             // lets writers in
  void undo_start();

  base::Status flush();
  void trim() { writer_.trim(); }
  bool due();
  base::Status rotate();
  // Likewise, and something happens between two chunks. An error: it did not happen.
  base::Status rotate(const std::function<void()>& between);
  // Likewise: what is recorded from then on is recorded so.
  base::Status change(const ChunkSettings& settings);
  // The end: nobody gets in any more, the rest goes into chunks. If it cannot, the spools stay for recovery.
  base::Status finish();
  void release();

  const ChunkWriter& writer() const { return writer_; }
  const std::string& spool_directory() const { return epochs_.directory(); }

 private:
  base::Status write_closing();
  base::Status write_rest();
  base::Status flip();
  base::Status end_chunk();
  void hand_on();
  void count_faulted_loads();

  const EngineConfig& config_;
  ChunkWriter::Surroundings around_;
  SpoolBudget budget_;
  Epochs epochs_;
  ChunkSettings settings_;
  ChunkWriter writer_;
  uint64_t faulted_loads_ = 0;  // counted so far
};

}  // namespace rec
