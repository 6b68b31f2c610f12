// SPDX-License-Identifier: Apache-2.0
// The bytes of a spool file, shared by the engine that fills it and by recovery that reads what a dead process left.
//
//   +--------+- - - - - - - - - - - - - - +- - - - - - - - - - - - - - - - - - - +
//   | header | event log: 32-byte slots   | arena: records in 8-byte units       |
//   +--------+- - - - - - - - - - - - - - +- - - - - - - - - - - - - - - - - - - +
//   0        kSpoolLogOffset              kSpoolArenaOffset                      kSpoolFileBytes
//
// Sparse: in each range blocks exist up to its Meter's limit, and only there.
//
// Host byte order: a spool is read on the machine that wrote it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "recorder/spool/checked_word.h"
#include "recorder/spool/limits.h"
#include "recorder/spool/loss.h"
#include "recorder/spool/meter.h"

namespace rec {

inline constexpr std::array<char, 8> kSpoolMagic = {'R', 'E', 'C', 'S', 'P', 'O', 'O', 'L'};
inline constexpr uint32_t kSpoolVersion = 25;

struct SpoolHeader {
  std::array<char, 8> magic;
  uint32_t version;
  std::atomic<uint32_t> check;  // of all that stands before `consumed` (header_edit.h); 0: it is being changed
  uint32_t pid;
  uint32_t index;         // 0 or 1
  uint32_t serial;        // of the epoch that uses it; 0: none
  uint32_t sample_event;  // SampleEvent
  uint32_t unused;        // 0
  int64_t sample_period_ns;
  int64_t clock_unix_ns;  // the two clocks at one instant
  int64_t clock_ticks;
  // Whose it is (identity.h).
  uint64_t repository_device;
  uint64_t repository_inode;
  int64_t repository_born_ns;
  std::array<char, 40> repository_id;  // 0-terminated, as the path behind it, where the chunks are
  std::array<char, 512> repository;
  // From here on each word carries its own check: they change with each flush.
  CheckedWord<uint32_t> consumed;        // slots whose events are committed to a chunk
  CheckedWord<uint32_t> consumed_again;  // the same, stored next: for the case that the first is damaged
  // What append() is about to commit, written before it: recovery looks into that chunk whether it happened, so that
  // no event is there twice. intent_end is stored last (release) and is 0 while the others change.
  CheckedWord<uint32_t> chunk_check;    // CRC-32C of the name
  CheckedWord<uint64_t> intent_offset;  // where the segment's first event will be
  CheckedWord<uint32_t> intent_end;     // `consumed` once it is committed; 0: nothing is under way
  std::array<char, 256> chunk;          // name of the open chunk in the repository, 0-terminated
  // The recording's counters at the last flush, minus what chunks have reported: they would die with the process.
  std::array<CheckedWord<uint64_t>, kLossCount> losses;
  // In the spool of the current epoch only; zeros in the other one. notes[kSamples]: committed, and not in a chunk that
  // has its counters yet.
  std::array<CheckedWord<uint64_t>, kNoteCount> notes;
  // Where in `chunk` the segment with those counters will be; if it is there, recovery must not report them again.
  // 0: none is under way.
  CheckedWord<uint64_t> counters_offset;
  // Objects that are alive, as events in slots in the arena (live_object.h). They are in no chunk yet: the recording's end
  // writes them, and recovery does for a process that had none. 0: there are none.
  CheckedWord<uint32_t> live_unit;
  CheckedWord<uint32_t> live_count;  // slots
  Meter log;                         // in slots
  Meter arena;                       // in units; unit 0 is never handed out
};

// The part that `check` is of, behind `check` itself.
inline constexpr size_t kFactsBegin = offsetof(SpoolHeader, pid);
inline constexpr size_t kFactsEnd = offsetof(SpoolHeader, consumed);

// Zero-terminated, cut if need be.
template <size_t size>
void write_text(std::array<char, size>& to, std::string_view text) {
  const size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.data(), length, to.data());
  std::fill(to.begin() + static_cast<ptrdiff_t>(length), to.end(), '\0');
}
template <size_t size>
std::string_view text_in(const std::array<char, size>& from) {
  return {from.data(), static_cast<size_t>(std::find(from.begin(), from.end(), '\0') - from.begin())};
}

inline constexpr uint64_t kSpoolHeaderBytes = 4096;
inline constexpr uint64_t kSpoolLogOffset = kSpoolHeaderBytes;
inline constexpr uint64_t kSpoolArenaOffset = kSpoolLogOffset + kLogBytes;
inline constexpr uint64_t kSpoolFileBytes = kSpoolArenaOffset + kArenaBytes;
static_assert(sizeof(SpoolHeader) <= kSpoolHeaderBytes);

}  // namespace rec
