// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/loss_report.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "recorder/spool/event_log.h"

namespace rec {

using jfr::ByteSink;
using jfr::TypeId;

uint64_t LossReport::Counts::lost() const { return std::accumulate(losses.begin(), losses.end(), uint64_t{0}); }

LossReport::LossReport(const LossCounters& counters, SampleEvent sample_event)
    : counters_(counters), sample_event_(sample_event), start_(look()), reported_(start_), seen_(start_) {}

LossReport::Counts LossReport::look() const {
  Counts now;
  for (size_t i = 0; i < kLossCount; ++i) now.losses[i] = counters_.total(static_cast<Loss>(i));
  for (size_t i = 0; i < kNoteCount; ++i) now.notes[i] = counters_.total(static_cast<Note>(i));
  return now;
}

uint64_t LossReport::since_start(Note note) const {
  return counters_.total(note) - start_.notes[static_cast<size_t>(note)];
}

uint64_t LossReport::lost_for_want_of_room() const {
  uint64_t lost = 0;
  for (const Loss loss :
       {Loss::kLogFull, Loss::kLogContended, Loss::kArenaFull, Loss::kStackTableFull, Loss::kChunkLost})
    lost += counters_.total(loss) - start_.losses[static_cast<size_t>(loss)];
  return lost;
}

void LossReport::save(SpoolHeader& header) const {
  const Counts now = look();
  assert(now.lost() >= reported_.lost() && "counters only grow");
  for (size_t i = 0; i < kLossCount; ++i)
    header.losses[i].store(now.losses[i] - reported_.losses[i], std::memory_order_relaxed);
  for (size_t i = 0; i < kNoteCount; ++i)
    header.notes[i].store(now.notes[i] - reported_.notes[i], std::memory_order_relaxed);
  const uint64_t samples = since_start(Note::kSamples);
  header.notes[static_cast<size_t>(Note::kSamples)].store(samples - std::min(samples, earlier_samples_),
                                                          std::memory_order_relaxed);
}

void LossReport::clear(SpoolHeader& header) {
  for (auto& count : header.losses) count.store(0, std::memory_order_relaxed);
  for (auto& count : header.notes) count.store(0, std::memory_order_relaxed);
}

void LossReport::encode_counter(EventEncoder& out, int64_t ticks, const char* cause, uint64_t count, uint64_t total) {
  ByteSink& body = out.begin(TypeId::kRecCounters, ticks);
  body.text(cause);
  body.leb(count);
  body.leb(total);
  out.end();
}

void LossReport::written() {
  reported_ = seen_;
  earlier_samples_ += chunk_samples_;
  chunk_samples_ = 0;
}

void LossReport::encode(EventEncoder& out, int64_t ticks) {
  seen_ = look();
  encode_counter(out, ticks, note_name(Note::kSamples), chunk_samples_, earlier_samples_ + chunk_samples_);
  for (size_t i = 0; i < kNoteCount; ++i) {
    const uint64_t count = seen_.notes[i] - reported_.notes[i];
    const auto note = static_cast<Note>(i);
    if (count > 0 && note != Note::kSamples)
      encode_counter(out, ticks, note_name(note), count, seen_.notes[i] - start_.notes[i]);
  }
  for (size_t i = 0; i < kLossCount; ++i) {
    const uint64_t count = seen_.losses[i] - reported_.losses[i];
    if (count > 0)
      encode_counter(out, ticks, loss_name(static_cast<Loss>(i)), count, seen_.losses[i] - start_.losses[i]);
  }
  if (seen_.lost() > reported_.lost()) encode_lost(out, ticks);
}

void LossReport::encode_lost(EventEncoder& out, int64_t ticks) const {
  const uint64_t lost = seen_.lost() - reported_.lost();
  ByteSink& data_loss = out.begin(TypeId::kDataLoss, ticks);
  data_loss.leb(lost * sizeof(EventSlot));
  data_loss.leb((seen_.lost() - start_.lost()) * sizeof(EventSlot));
  out.end();
  if (sample_event_ != SampleEvent::kCpuTimeSample) return;
  ByteSink& samples_lost = out.begin(TypeId::kCpuTimeSamplesLost, ticks);
  samples_lost.leb_i32(static_cast<int32_t>(std::min<uint64_t>(lost, INT32_MAX)));
  samples_lost.leb(0);  // of no thread in particular
  out.end();
}

}  // namespace rec
