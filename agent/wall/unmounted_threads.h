// SPDX-License-Identifier: Apache-2.0
// UnmountedThreads is the wall clock for virtual threads that no carrier runs: they are parked, blocked, in Object.wait, or
// wait for a carrier. At random moments kRoundNs apart on the average some of them, chosen by chance, are looked at in the
// heap (thread_sets.h); each stands for as many as it was chosen from, and for the time since the last round. So sums are
// right, whatever the number of threads and however short they live; of a single thread among very many, little is told.
// (Those that are mounted are seen on their carriers.)
//
// Nobody is stopped, woken or asked, and no code of Java runs. What a collector is moving while it is read is counted, and
// what the round has seen stands for it, too.
//
// begin() on a thread that Java knows; visit() on the clock's.
#pragma once

#include <jni.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "agent/hotspot/vm/thread_sets.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "agent/wall/wall_random.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

class UnmountedThreads {
 public:
  static constexpr int64_t kRoundNs = 100'000'000;  // at least; longer intervals of the clock are its own
  static constexpr uint64_t kWanted = 64;           // threads to see in a round
  static constexpr int64_t kMostShare = 100;        // one in so many of a core is ours

  explicit UnmountedThreads(const VmCode& vm);

  // Without effect where this VM has no virtual threads, or does not keep them as we know it.
  void begin(JNIEnv* jni, ThreadSets& sets);
  // A round, if one is due.
  void visit(int64_t interval_ns);

 private:
  struct Seen {
    uint64_t thread;
    uint32_t stands_for;
  };

  struct Span {  // what a round stands for
    int64_t begin_ticks;
    double length_ns;
    int64_t interval_ns;
  };

  bool round(Epoch& epoch, int64_t now, int64_t interval_ns);
  void write(Epoch& epoch, const Seen& seen, const Span& span);
  Ref<StackFact> stack_of(Epoch& epoch, uint64_t chunk);
  Ref<ThreadFact> fact_of(Epoch& epoch, uint64_t thread, int64_t id);

  const VmCode& vm_;
  ThreadSets* sets_ = nullptr;
  std::vector<RawFrame> raw_;
  std::vector<Frame> frames_;
  std::vector<Seen> seen_;
  WallRandom random_;
  std::unordered_map<int64_t, Ref<ThreadFact>> facts_;  // of the epoch with this serial number
  uint32_t serial_ = 0;
  uint64_t bins_ = kWanted;
  int64_t last_ticks_ = 0, due_ticks_ = 0;
};

}  // namespace rec::agent
