// SPDX-License-Identifier: Apache-2.0
// MemoryNotes are what a recording says of its process' memory (rec.MemoryUse, rec.MemoryKinds; the agent writes them for
// the case that it is killed), and oom_report() tells them in words and as a table: how near the limit it was, how it
// ended, what grew.
//
//   take() each event in any order, then oom_report()
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "jrec/view/cell_reader.h"

namespace jrec {

inline constexpr int64_t kUnknownBytes = -1;

struct MemoryUse {
  int64_t at_ns = 0;  // since 1970
  int64_t resident = kUnknownBytes, heap = kUnknownBytes, metaspace = kUnknownBytes;
  int64_t group = kUnknownBytes, inactive = kUnknownBytes, limit = kUnknownBytes;
  int64_t failures = kUnknownBytes, kills = kUnknownBytes;
};

enum KindOfMemory : size_t { kJavaHeap, kCodeCache, kThreadStacks, kNativeMemory, kMappedFiles, kSharedMemory, kKinds };

struct MemoryKinds {
  int64_t at_ns = 0;
  std::array<int64_t, kKinds> bytes{};
};

class MemoryNotes {
 public:
  static bool wants(const jfr::read::Type& type);
  void take(CellReader& cells, const jfr::read::Event& event, const jfr::read::Type& type);
  void in_order();  // once all are taken

  std::vector<MemoryUse> uses;
  std::vector<MemoryKinds> kinds;
  bool shut_down = false;  // the JVM ended by itself
  int32_t utc_offset_s = 0;
};

// Notes that are in order.
std::string oom_report(const MemoryNotes& notes);

}  // namespace jrec
