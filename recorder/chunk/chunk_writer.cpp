// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/chunk_writer.h"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "recorder/spool/append_intent.h"

namespace rec {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

ChunkWriter::ChunkWriter(const ChunkConfig& config, ProcessFacts facts, const Surroundings& around)
    : config_(config),
      around_(around),
      process_events_(config, std::move(facts)),
      report_(around.losses, config.sample_event),
      clock_(config.unix_ns),
      encoder_(config.sample_event, config.sample_period_ns) {}

ChunkWriter::~ChunkWriter() { forget(); }

bool ChunkWriter::full() const { return chunk_ && chunk_->size() >= config_.max_chunk_size; }

// The rest of a closed epoch goes into the chunk that is full: it is what came in since the last flush. Only a backlog
// starts another.
bool ChunkWriter::overfull() const { return chunk_ && chunk_->size() >= config_.max_chunk_size + kChunkSlackBytes / 2; }

bool ChunkWriter::old() const {
  return chunk_ && config_.max_chunk_age_ns > 0 && base::now_ticks() - opened_ticks_ >= config_.max_chunk_age_ns;
}

std::string ChunkWriter::chunk_name() const {
  assert(chunk_ && "no chunk is open");
  return chunk_->path().substr(chunk_->path().find_last_of('/') + 1);
}

void ChunkWriter::change(const ChunkSettings& settings) {
  assert(!chunk_ && "what a chunk says is true for all of it");
  process_events_.set_settings(settings.events);
  encoder_.events().set_sample_period(settings.sample_period_ns);
}

Status ChunkWriter::open() {
  if (chunk_ && has_counters_) return close(false);
  if (chunk_) return Done{};
  const SpareDescriptors::Loan loan(around_.spares);
  Recordings& recordings = around_.recordings;
  if (Status ready = recordings.prepare(); !ready) return ready;
  const ClockWatch::Instant start = clock_.now();
  auto chunk = jfr::ChunkFile::create(recordings.home().repository.directory(), recordings.next_name(start.unix_ns),
                                      config_.max_chunk_size + kChunkSlackBytes,
                                      {start.unix_ns, start.ticks, base::gmt_offset_ms()});
  if (!chunk) return chunk.error();
  chunk_.emplace(std::move(*chunk));
  recordings.chunk_opened(chunk_->path());
  clock_.chunk_begins(start);
  opened_ticks_ = start.ticks;
  encoder_.start_chunk(++serial_);
  return append_head();
}

Status ChunkWriter::append_head() {
  encoder_.clear();
  process_events_.encode(encoder_.events(), opened_ticks_, around_.recordings);
  Status status = append();
  has_events_ = false;
  return status;
}

Status ChunkWriter::append() {
  assert(chunk_ && "open() comes first");
  Status status = chunk_->append(encoder_.constants(), encoder_.events().bytes().bytes(), base::now_ticks());
  has_events_ = has_events_ || status.ok();
  tell_of_closing();
  const bool no_room = !status && status.error().code == ErrorCode::kLimit;  // nothing is wrong with the chunk
  if (!status && !(no_room && has_events_)) give_up();
  return status;
}

void ChunkWriter::give_up() {
  if (!chunk_->linked()) return;  // rescue() has what is in it, as long as the descriptor is open
  (void)chunk_->close(base::now_ticks(), false);
  if (has_events_) {
    tell();
  } else {
    ::unlink(chunk_->path().c_str());
    around_.recordings.chunk_given_up();
  }
  forget();
}

void ChunkWriter::tell_of_closing() {
  if (!chunk_->opened_again() || std::exchange(said_closed_, true) || !config_.log) return;
  config_.log(("somebody closed the recorder's descriptor of " + chunk_->path() + ", and it was opened again").c_str());
}

void ChunkWriter::tell() {
  before_ = chunk_->clock();
  const std::optional<jfr::UntrimmedChunk>& left = chunk_->left_untrimmed();
  if (left && untrimmed_.size() < kMostUntrimmed) untrimmed_.push_back(*left);
  around_.recordings.chunk_finished(chunk_->path(), base::now_ticks(), left ? left->file_size - left->size : 0);
}

// A chunk that the hook reads is left to it.
void ChunkWriter::trim() {
  std::erase_if(untrimmed_, [this](const jfr::UntrimmedChunk& chunk) {
    if (around_.recordings.uses(chunk.path)) return false;
    const Status trimmed = chunk.trim();
    return trimmed || trimmed.error().code == ErrorCode::kUsage || trimmed.error().errno_value == ENOENT;
  });
}

void ChunkWriter::forget() {
  chunk_.reset();
  has_events_ = has_counters_ = false;
  removed_.clear();
}

// Encodes from `slot` on, at most a segment's worth; moves `slot`. False: there is nothing to append.
bool ChunkWriter::encode_segment(Spool& spool, Drain drain, uint32_t& slot) {
  using Uncommitted = SegmentEncoder::Uncommitted;
  encoder_.clear();
  cpu_load_.encode_if_due(encoder_.events(), base::now_ticks());
  encoder_.add_events(spool, drain == Drain::kCurrent ? Uncommitted::kEnd : Uncommitted::kSkip, slot);
  return !encoder_.empty();
}

Status ChunkWriter::write_events(Spool& spool, Drain drain, Spool& live) {
  CheckedWord<uint32_t>& consumed = spool.header().consumed;
  bool retried = false;
  for (;;) {
    if (Status ready = open(); !ready) return ready;
    if (!chunk_) continue;  // the one before had to be closed first
    if (full() && drain == Drain::kCurrent) return Done{};
    if (overfull()) {
      if (Status closed = close(false); !closed) return closed;
      continue;
    }
    live.extend();  // writers may have filled a good part while the last segment was encoded
    uint32_t slot = consumed.load(std::memory_order_relaxed);
    if (!encode_segment(spool, drain, slot)) return Done{};
    if (Status status = append_from(spool, slot); !status) {
      if (retried || status.error().code != ErrorCode::kLimit) return status;
      retried = true;
      if (Status closed = close(false); !closed) return closed;
      continue;
    }
    retried = false;
    spool.release_log_before(slot);
  }
}

Status ChunkWriter::append_from(Spool& spool, uint32_t slot) {
  assert(slot >= spool.header().consumed.load(std::memory_order_relaxed) && "what a chunk has, it keeps");
  const AppendIntent intent(spool.header(), chunk_name(), chunk_->size(), slot);
  chunk_->begin_at_latest(encoder_.first_ticks(), before_);
  Status status = append();
  if (!status) return status;
  spool.set_consumed(slot);
  report_.add_samples(encoder_.samples());
  return status;
}

Status ChunkWriter::append_counters() {
  if (has_counters_) return Done{};
  const int64_t ticks = base::now_ticks();
  encoder_.clear();
  if (const int64_t jump = clock_.jump_ns(); jump != 0) {
    encoder_.events().begin(jfr::TypeId::kRecClockJump, ticks).leb_i64(jump);
    encoder_.events().end();
  }
  report_.encode(encoder_.events(), ticks);
  std::optional<CountersIntent> intent;
  if (ledger_) intent.emplace(*ledger_, chunk_name(), chunk_->size());
  Status status = append();
  has_counters_ = status || status.error().code == ErrorCode::kLimit;  // no room: the next chunk says it
  if (!status) return has_counters_ ? Status(Done{}) : status;
  report_.written();
  if (ledger_) report_.save(*ledger_);
  return Done{};
}

Status ChunkWriter::close(bool final) {
  if (!chunk_) return Done{};
  if (!chunk_->linked()) return rescue(final);
  if (Status counted = append_counters(); !counted) return counted;
  return finish(final);
}

Status ChunkWriter::finish(bool final) {
  const SpareDescriptors::Loan loan(around_.spares);
  assert(chunk_ && "only an open chunk can be finished");
  Status status = chunk_->close(base::now_ticks(), final);
  tell_of_closing();
  if (chunk_->is_open()) return status;  // it could not be put where it is to go
  tell();
  forget();
  return status;
}

Status ChunkWriter::rescue(bool final) {
  if (!chunk_ || chunk_->linked()) return Done{};
  if (!has_events_) return forget(), Done{};
  if (chunk_->gone()) return give_up_gone(), Done{};
  if (Status ready = around_.recordings.prepare(); !ready) return ready;
  (void)append_counters();  // a chunk that failed before stays without
  const std::string removed = removed_.empty() ? removed_ = chunk_->path() : removed_;
  chunk_->move_to(around_.recordings.home().repository.directory(), around_.recordings.next_name(clock_.now().unix_ns));
  const std::string saved = chunk_->path();
  Status status = finish(final);
  if (!chunk_ && config_.log)
    config_.log((removed + " was removed by somebody while it was written; its content is in " + saved).c_str());
  return status;
}

void ChunkWriter::give_up_gone() {
  if (config_.log)
    config_.log(
        (chunk_->path() + " was removed and its descriptor closed by somebody; what was in it is lost").c_str());
  abandon();
}

void ChunkWriter::abandon() {
  if (!chunk_) return;
  if (!chunk_->linked()) {
    around_.losses.count(Loss::kChunkLost, report_.unreported_samples());
    report_.forget_samples();
  }
  forget();
}

void ChunkWriter::save_counters(Spool& current) {
  ledger_ = &current.header();
  report_.save(*ledger_);
}

}  // namespace rec
