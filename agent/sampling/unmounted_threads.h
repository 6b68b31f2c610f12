// SPDX-License-Identifier: Apache-2.0
// UnmountedThreads finds virtual threads that no carrier runs: they are parked, blocked, in Object.wait, or wait for a
// carrier. Some of them, chosen by chance, are looked at in the heap (thread_sets.h); each stands for as many as it was
// chosen from. Who looks at random moments has sums that are right, whatever the number of threads and however short they
// live; of a single thread among very many, little is told. (Those that are mounted are seen on their carriers.)
//
//   look() -> seen() -- place_of() -> where one is -- stack_of(), fact_of() -- is_still_at(): it was there all the time
//
// Nobody is stopped, woken or asked, and no code of Java runs. What a collector is moving while it is read is counted, and
// what the look has seen stands for it, too.
//
// begin() on a thread that Java knows; the rest on one ordinary thread.
#pragma once

#include <jni.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/hotspot/vm/thread_sets.h"
#include "agent/hotspot/walk/stack_chunk.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "agent/sampling/chance.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

class UnmountedThreads {
 public:
  static constexpr int64_t kRoundNs = 100'000'000;  // between two looks at least, as a rule
  static constexpr uint64_t kWanted = 64;           // threads to see in a look
  static constexpr int64_t kMostShare = 100;        // one in so many of a core is ours

  explicit UnmountedThreads(const VmCode& vm);

  // False: this VM has no virtual threads, or does not keep them as we know it. sets: opened here, and outlive it.
  bool begin(JNIEnv* jni, ThreadSets& sets);
  bool begun() const { return sets_.opened(); }

  struct Seen {
    uint64_t thread;
    double stands_for;
  };
  // Some of them, in seen() until the next look. What each stands for is to be multiplied by the number returned.
  // Nothing: a collector was at work on what leads to them.
  std::optional<double> look();
  const std::vector<Seen>& seen() const { return seen_; }

  struct Place {
    ThreadSets::Does does = ThreadSets::Does::kElse;
    int64_t id = 0;
    uint64_t chunk_at = 0;
    StackChunk chunk;
    bool has_begun = false;
  };
  // Nothing: it is not sure. A thread that runs, or has ended, does kElse.
  std::optional<Place> place_of(uint64_t thread) const;
  // False: it has gone on, or it is not sure. What was read meanwhile was true.
  bool is_still_at(const Place& place, uint64_t thread) const;

  struct Stack {
    Ref<StackFact> fact;
    bool sleeps = false;  // in Thread.sleep, which is a park of VirtualThread.sleepNanos (java/lang/VirtualThread.java)
  };
  Stack stack_of(Epoch& epoch, const Place& place);
  Ref<ThreadFact> fact_of(Epoch& epoch, uint64_t thread, int64_t id);
  uint64_t park_blocker(uint64_t thread) const { return sets_.park_blocker(thread); }

  Random& random() { return random_; }

 private:
  void keep(const Seen& seen, uint32_t met);

  const VmCode& vm_;
  ThreadSets sets_;
  std::vector<RawFrame> raw_;
  std::vector<Frame> frames_;
  std::vector<Seen> seen_;
  Random random_;
  struct Named {
    Ref<ThreadFact> fact;
    size_t name_hash = 0;
  };
  std::unordered_map<int64_t, Named> facts_;  // by id, of the epoch with this serial number
  uint32_t serial_ = 0;
  uint64_t bins_ = kWanted;
};

// Whether it waits where it did: chunks are moved, and what is in them is not.
bool same_place(const UnmountedThreads::Place& a, const UnmountedThreads::Place& b);

}  // namespace rec::agent
