// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk_writer.h"

#include <algorithm>

#include "recorder/clock.h"

namespace rec {

using jfr::Done;
using jfr::Result;

ChunkWriter::ChunkWriter(const EngineConfig& config, ProcessFacts facts, const LossCounters& losses,
                         Repository& repository)
    : config_(config),
      repository_(repository),
      process_events_(config, std::move(facts)),
      loss_report_(losses, config.sample_event),
      encoder_(config.sample_event, config.sample_period_ns, config.unsigned5_excess) {}

bool ChunkWriter::full() const { return chunk_ && chunk_->size() >= config_.max_chunk_size; }

// The rest of a closed epoch goes into the chunk that is full: it is what came in since the last flush. Only a backlog
// starts another.
bool ChunkWriter::overfull() const { return chunk_ && chunk_->size() >= config_.max_chunk_size + kChunkSlackBytes / 2; }

bool ChunkWriter::old() const {
  return chunk_ && config_.max_chunk_age_ns > 0 && now_ticks() - opened_ticks_ >= config_.max_chunk_age_ns;
}

Status ChunkWriter::open() {
  if (chunk_) return Done{};
  if (Status ready = repository_.prepare(); !ready) return ready;
  const jfr::ChunkClock clock{now_unix_ns(), now_ticks(), gmt_offset_ms()};
  const std::string name = repository_.next_name(clock.start_unix_ns);
  auto chunk = jfr::ChunkFile::create(repository_.directory(), name, config_.max_chunk_size + kChunkSlackBytes, clock);
  if (!chunk) return chunk.error();
  chunk_.emplace(std::move(*chunk));
  opened_ticks_ = clock.start_ticks;
  encoder_.start_chunk(++serial_);
  return append_head();
}

Status ChunkWriter::append_head() {
  encoder_.clear();
  process_events_.encode(encoder_.events(), opened_ticks_);
  return append();
}

Status ChunkWriter::append() {
  Status status = chunk_->append(encoder_.constants(), encoder_.events().bytes().bytes(), now_ticks());
  if (!status) give_up();
  return status;
}

void ChunkWriter::give_up() {
  // Whatever close() can still do is welcome; the file is valid without.
  (void)chunk_->close(now_ticks(), false);
  repository_.add(chunk_->path(), now_unix_ns());
  chunk_.reset();
}

// Encodes from `slot` on, at most a segment's worth; moves `slot`. False: there is nothing to append.
bool ChunkWriter::encode_segment(Spool& spool, Drain drain, uint32_t& slot) {
  using Uncommitted = SegmentEncoder::Uncommitted;
  encoder_.clear();
  cpu_load_.encode_if_due(encoder_.events(), now_ticks());
  encoder_.add_events(spool, drain == Drain::kCurrent ? Uncommitted::kEnd : Uncommitted::kSkip, slot);
  return !encoder_.empty();
}

Status ChunkWriter::write_events(Spool& spool, Drain drain, Spool& live) {
  std::atomic<uint32_t>& consumed = spool.header().consumed;
  bool retried = false;
  for (;;) {
    if (Status ready = open(); !ready) return ready;
    if (full() && drain == Drain::kCurrent) return Done{};
    if (overfull()) {
      if (Status closed = close(false); !closed) return closed;
      continue;
    }
    live.extend();  // writers may have filled a good part while the last segment was encoded
    uint32_t slot = consumed.load(std::memory_order_relaxed);
    if (!encode_segment(spool, drain, slot)) return Done{};
    if (Status status = append(); !status) {
      if (retried || status.error().code != jfr::ErrorCode::kLimit) return status;
      retried = true;
      continue;
    }
    retried = false;
    consumed.store(slot, std::memory_order_release);
    loss_report_.add_samples(encoder_.samples());
    spool.release_log_before(slot);
  }
}

Status ChunkWriter::close(bool final) {
  if (!chunk_) return Done{};
  const int64_t ticks = now_ticks();
  encoder_.clear();
  loss_report_.encode(encoder_.events(), ticks);
  if (Status status = append(); !status) return status;
  loss_report_.written();
  Status status = chunk_->close(ticks, final);
  repository_.add(chunk_->path(), now_unix_ns());
  chunk_.reset();
  return status;
}

}  // namespace rec
