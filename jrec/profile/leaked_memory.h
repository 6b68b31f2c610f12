// SPDX-License-Identifier: Apache-2.0
// LeakedMemory is the native memory that was allocated in a recording and was not freed in it: each profiler.Malloc that no
// profiler.Free of its address follows. What was allocated at the very end may only be on its way: the youngest part of the
// time is left out.
//
//   recording --> note(chunk), in its order --> settle(tail) --> has(address, ticks) of each profiler.Malloc
//
// An address is one of a JVM: a recording may be put together of several. Events of an address are told apart by their
// ticks, which all chunks of a process have in common. An address that is allocated twice without an end between was freed
// where nobody saw it.
//
// Memory: 24 bytes an event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/values/jvm_numbers.h"

namespace jrec {

inline constexpr std::string_view kMallocType = "profiler.Malloc";

struct MemoryEvent {
  uint64_t address = 0;
  int64_t ticks = 0;
  bool is_free = false;
  uint32_t jvm = 0;  // set by note()
};
static_assert(sizeof(MemoryEvent) == 24);

// From the first to the last of what there is. Two of one process have their ticks in common.
struct TickSpan {
  int64_t first = std::numeric_limits<int64_t>::max(), last = std::numeric_limits<int64_t>::min();

  void add(const TickSpan& other) { first = std::min(first, other.first), last = std::max(last, other.last); }
};

struct ChunkMemory {
  std::vector<MemoryEvent> events;
  std::optional<WriterProcess> writer;
  TickSpan span;  // of the chunk, by its header: nothing may happen behind the last of the events
};
// Those of a chunk. What cannot be decoded is left out: the real reading tells of it.
ChunkMemory memory_events(jfr::read::Chunk& chunk);

class LeakedMemory {
 public:
  void note(const ChunkMemory& chunk);
  // tail: the share of a JVM's recorded time whose allocations are left out, 0 to 1.
  void settle(double tail);
  bool has(uint64_t address, int64_t ticks) const;  // afterwards

 private:
  std::vector<MemoryEvent> events_;  // afterwards: those that leaked, by address
  std::vector<TickSpan> spans_;      // by JVM
  JvmNumbers jvms_;
};

}  // namespace jrec
