// SPDX-License-Identifier: Apache-2.0
// The bytes of a spool file, shared by the engine that fills it and by recovery that reads what a dead process left.
//
//   +--------+- - - - - - - - - - - - - - +- - - - - - - - - - - - - - - - - - - +
//   | header | event log: 32-byte slots   | arena: records in 8-byte units       |   sparse; blocks exist up to each
//   Meter's limit
//   +--------+- - - - - - - - - - - - - - +- - - - - - - - - - - - - - - - - - - +
//   0        4096                         log_offset + kLogBytes
//
// Host byte order: a spool is read on the machine that wrote it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "recorder/limits.h"
#include "recorder/meter.h"

namespace rec {

inline constexpr std::array<char, 8> kSpoolMagic = {'R', 'E', 'C', 'S', 'P', 'O', 'O', 'L'};
inline constexpr uint32_t kSpoolVersion = 1;

struct SpoolHeader {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t pid;
  uint32_t index;   // 0 or 1
  uint32_t serial;  // of the epoch that uses it; 0: none
  uint32_t unsigned5_excess;
  uint32_t sample_event;  // SampleEvent
  int64_t sample_period_ns;
  int64_t clock_unix_ns;  // the two clocks at one instant
  int64_t clock_ticks;
  std::atomic<uint32_t> consumed;    // slots whose events are committed to a chunk
  std::array<char, 512> repository;  // where the chunks are, 0-terminated
  Meter log;                         // in slots
  Meter arena;                       // in units; unit 0 is never handed out
};

inline constexpr uint64_t kSpoolHeaderBytes = 4096;
inline constexpr uint64_t kSpoolLogOffset = kSpoolHeaderBytes;
inline constexpr uint64_t kSpoolArenaOffset = kSpoolLogOffset + kLogBytes;
inline constexpr uint64_t kSpoolFileBytes = kSpoolArenaOffset + kArenaBytes;
static_assert(sizeof(SpoolHeader) <= kSpoolHeaderBytes);

}  // namespace rec
