// SPDX-License-Identifier: Apache-2.0
#include "recover/seal.h"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <numeric>
#include <optional>

#include "format/writer/chunk_file.h"
#include "recorder/chunk/segment_encoder.h"
#include "recorder/spool/loss.h"

namespace rec {
namespace {

using base::Done;
using jfr::ByteSink;
using jfr::TypeId;

constexpr uint64_t kLargestChunkBytes = 16u << 20;
constexpr uint64_t kLeastChunkBytes = 256u << 10;
constexpr uint32_t kFirstSerial = 0xF0000000u;           // no chunk of the dead process had it
constexpr uint64_t kFirstContentId = uint64_t{1} << 40;  // nor these: its chunks may stand before ours

// A count that is not what was stored is none; the spool's damage says so.
uint64_t sane_count(const CheckedWord<uint64_t>& counter) { return counter.intact() ? counter.load() : 0; }

class Sealing {
 public:
  Sealing(Spool& spool, const UntoldCounters& counters, const std::string& directory, const std::string& prefix,
          SealedSpool& sealed)
      : spool_(spool),
        header_(spool.header()),
        counters_(counters),
        directory_(directory),
        prefix_(prefix),
        sealed_(sealed),
        encoder_(sample_event(), header_.sample_period_ns, kFirstContentId + (uint64_t{header_.serial} << 24)) {}

  Status run(uint32_t slot) {
    slot = first_committed(slot);
    while (slot < spool_.log().claimed()) {
      if (Status opened = open(slot); !opened) return opened;
      const uint32_t from = slot;
      encoder_.clear();
      encoder_.add_events(spool_, SegmentEncoder::Uncommitted::kSkip, slot);
      Status appended = append();
      if (appended) {
        chunk_samples_ += encoder_.samples();
        chunk_is_empty_ = false;
        continue;
      }
      if (appended.error().code != base::ErrorCode::kLimit) return appended;
      slot = from;
      if (Status other = chunk_is_empty_ ? begin_larger(appended) : close(false); !other) return other;
    }
    if (Status live = seal_live(slot); !live) return live;
    if (!counters_.none())
      if (Status opened = open(slot); !opened) return opened;
    return close(true);
  }

 private:
  SampleEvent sample_event() const {
    return header_.sample_event == 0 ? SampleEvent::kExecutionSample : SampleEvent::kCpuTimeSample;
  }

  uint32_t first_committed(uint32_t slot) {
    Event event;
    const uint32_t end = spool_.log().claimed();
    while (slot < end && !spool_.log().read(slot, event)) ++slot;
    return slot;
  }

  // What the dead process would have written at its end.
  Status seal_live(uint32_t slot) {
    if (live_objects(spool_).empty()) return Done{};
    for (;;) {
      if (Status opened = open(slot); !opened) return opened;
      encoder_.clear();
      encoder_.add_live(spool_);
      Status appended = append();
      if (appended) return chunk_is_empty_ = false, Done{};
      if (appended.error().code != base::ErrorCode::kLimit) return appended;
      if (Status other = chunk_is_empty_ ? begin_larger(appended) : close(false); !other) return other;
    }
  }

  Status append() {
    assert(chunk_ && "open() comes first");
    chunk_->begin_at_latest(encoder_.first_ticks(), before_);
    return chunk_->append(encoder_.constants(), encoder_.events().bytes().bytes(), encoder_.last_ticks());
  }

  // For the events from that slot on.
  Status open(uint32_t slot) {
    if (chunk_) return Done{};
    char number[32];
    std::snprintf(number, sizeof number, "-%04zu.jfr", sealed_.chunks.size() + 1);
    const std::string name = prefix_ + number;
    unlink((directory_ + "/" + name).c_str());  // of a recovery that did not live to its end
    unlink((directory_ + "/." + name + ".tmp").c_str());
    if (chunk_bytes_ == 0) chunk_bytes_ = likely_bytes();
    auto chunk = jfr::ChunkFile::create(directory_, name, chunk_bytes_, clock_at(slot));
    if (!chunk) return chunk.error();
    chunk_.emplace(std::move(*chunk));
    chunk_is_empty_ = true;
    sealed_.chunks.push_back(chunk_->path());
    encoder_.start_chunk(kFirstSerial + chunks_++);
    return Done{};
  }

  // The chunk begins with its first event: chunks of the dead process stand before it, and began after their epoch.
  jfr::ChunkClock clock_at(uint32_t slot) {
    constexpr int64_t kLongestNs = int64_t{1} << 50;  // the event may say anything
    Event first;
    const bool there = slot < spool_.log().claimed() && spool_.log().read(slot, first);
    const int64_t ticks = there ? first.ticks : encoder_.last_ticks();
    const bool sane =
        ticks > header_.clock_ticks && header_.clock_ticks >= 0 && ticks - header_.clock_ticks < kLongestNs;
    const int64_t later_ns = sane ? ticks - header_.clock_ticks : 0;
    return {header_.clock_unix_ns + later_ns, header_.clock_ticks + later_ns};
  }

  // Whoever recovers may have little room, so the chunk is no larger than what is left is likely to take.
  uint64_t likely_bytes() {
    return std::min(likely_chunk_bytes(spool_, header_.consumed.load(std::memory_order_relaxed)), kLargestChunkBytes);
  }

  // `why`: the empty chunk did not take even the first segment.
  Status begin_larger(const Status& why) {
    if (chunk_bytes_ == kLargestChunkBytes) return why;
    chunk_bytes_ = kLargestChunkBytes;
    unlink(chunk_->path().c_str());
    chunk_.reset();
    sealed_.chunks.pop_back();
    return Done{};
  }

  Status close(bool last) {
    if (!chunk_) return Done{};
    encoder_.clear();
    sealed_.samples += chunk_samples_;
    encode_counter(note_name(Note::kSamples), chunk_samples_, sealed_.samples);
    if (last) encode_untold();
    chunk_samples_ = 0;
    if (Status appended = append(); !appended) return appended;
    Status closed = chunk_->close(encoder_.last_ticks(), true);
    before_ = chunk_->clock();
    chunk_.reset();
    return closed;
  }

  void encode_counter(const char* cause, uint64_t count, uint64_t total) {
    ByteSink& counter = encoder_.events().begin(TypeId::kRecCounters, ticks());
    counter.text(cause);
    counter.leb(count);
    counter.leb(total);
    encoder_.events().end();
  }

  // What the dead process had counted since its last whole chunk. Its total since the beginning died with it.
  void encode_untold() {
    if (counters_.samples > 0) encode_counter(note_name(Note::kSamples), counters_.samples, counters_.samples);
    for (size_t i = 0; i < kNoteCount; ++i)
      if (const uint64_t count = counters_.notes[i]) encode_counter(note_name(static_cast<Note>(i)), count, count);
    for (size_t i = 0; i < kLossCount; ++i)
      if (const uint64_t count = counters_.losses[i]) encode_counter(loss_name(static_cast<Loss>(i)), count, count);
    if (counters_.lost() > 0) encode_lost(counters_.lost());
  }

  void encode_lost(uint64_t lost) {
    ByteSink& data_loss = encoder_.events().begin(TypeId::kDataLoss, ticks());
    for (int field = 0; field < 2; ++field) data_loss.leb(lost * sizeof(EventSlot));
    encoder_.events().end();
    if (sample_event() != SampleEvent::kCpuTimeSample) return;
    ByteSink& samples_lost = encoder_.events().begin(TypeId::kCpuTimeSamplesLost, ticks());
    samples_lost.leb_i32(static_cast<int32_t>(std::min<uint64_t>(lost, INT32_MAX)));
    samples_lost.leb(0);  // of no thread in particular
    encoder_.events().end();
  }

  int64_t ticks() const { return encoder_.last_ticks() != 0 ? encoder_.last_ticks() : header_.clock_ticks; }

  Spool& spool_;
  SpoolHeader& header_;
  const UntoldCounters& counters_;
  const std::string& directory_;
  const std::string& prefix_;
  SealedSpool& sealed_;
  SegmentEncoder encoder_;
  uint64_t chunk_bytes_ = 0;  // of each chunk; 0: not known yet
  std::optional<jfr::ChunkFile> chunk_;
  jfr::ChunkClock before_;  // of the chunk before
  bool chunk_is_empty_ = true;
  uint32_t chunks_ = 0;
  uint64_t chunk_samples_ = 0;
};

}  // namespace

void UntoldCounters::merge(const SpoolHeader& header) {
  for (size_t i = 0; i < kLossCount; ++i) losses[i] = std::max(losses[i], sane_count(header.losses[i]));
  for (size_t i = 0; i < kNoteCount; ++i)
    if (static_cast<Note>(i) != Note::kSamples) notes[i] = std::max(notes[i], sane_count(header.notes[i]));
}

uint64_t UntoldCounters::lost() const { return std::accumulate(losses.begin(), losses.end(), uint64_t{0}); }

bool UntoldCounters::none() const {
  return samples + lost() + std::accumulate(notes.begin(), notes.end(), uint64_t{0}) == 0;
}

uint64_t likely_chunk_bytes(Spool& spool, uint32_t from_slot) {
  const uint32_t claimed = spool.log().claimed();
  const uint64_t slots = claimed > from_slot ? claimed - from_slot : 0;
  const uint64_t units = spool.header().arena.tail.load(std::memory_order_relaxed);
  return kLeastChunkBytes + slots * sizeof(EventSlot) + units * kUnitBytes * 2;
}

Status seal_spool(Spool& spool, uint32_t from_slot, const UntoldCounters& counters, const std::string& directory,
                  const std::string& prefix, SealedSpool& sealed) {
  return Sealing(spool, counters, directory, prefix, sealed).run(from_slot);
}

}  // namespace rec
