// SPDX-License-Identifier: Apache-2.0
// VmCounters reads what the JVM counts for jstat: threads, classes, and the sizes of heap and metaspace.
//
//   java.threads.*                   as they are        src/hotspot/share/services/threadService.cpp
//   java.cls.*, sun.cls.*            as they are        services/classLoadingService.cpp
//   sun.gc.generation.G.space.S.*    the collector notes them after a collection; some, eden more often
//   sun.gc.metaspace.*               after a collection; before the first one, not at all
//
// Ordinary threads. read() takes no more than some tens of ns. Absent with -XX:-UsePerfData.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

inline constexpr int64_t kNotCounted = -1;

struct VmCounts {
  int64_t threads = kNotCounted, daemons = kNotCounted, started = kNotCounted, peak = kNotCounted;
  // Since the JVM started, those of the shared archive among them.
  int64_t classes_loaded = kNotCounted, classes_unloaded = kNotCounted;
  // Bytes.
  int64_t heap_used = kNotCounted, heap_committed = kNotCounted;
  int64_t metaspace_used = kNotCounted, metaspace_committed = kNotCounted;
};

class VmCounters {
 public:
  void open();                               // once
  bool known() const { return live_ != 0; }  // else this VM keeps no such counters, and all are kNotCounted
  VmCounts read() const;

 private:
  static constexpr size_t kGenerations = 2, kSpaces = 4;

  struct Space {
    uint64_t used = 0;
  };
  struct Generation {
    uint64_t capacity = 0;
    std::array<Space, kSpaces> spaces;
  };
  uint64_t live_ = 0, daemon_ = 0, started_ = 0, peak_ = 0;
  uint64_t loaded_ = 0, shared_loaded_ = 0, unloaded_ = 0, shared_unloaded_ = 0;
  uint64_t metaspace_used_ = 0, metaspace_committed_ = 0;
  std::array<Generation, kGenerations> generations_;
};

}  // namespace rec::agent
