// SPDX-License-Identifier: Apache-2.0
// LiveClock is the clock `live`: of the objects that are sampled when they are allocated (heap_sampler.h) those that are
// alive, as jdk.OldObjectSample.
//
//   sampled()     a weak reference, the class, the stack -> a candidate (live_table.h)
//   sampled(), first after a collection:  who is dead? who has survived? -> the spool, for the case that we are killed
//   write(), stop()                       likewise, and all survivors become events, of one time
//
// Survivors are written when a recording is dumped and when it ends, as JFR does, and not in each chunk: readers count
// events, and would count each object so many times. What they refer to moves with them from epoch to epoch (Heir).
//
// A sampled object is held by one of JNI's weak global references: any collector clears those (old_generation.h), they need
// no capability, and to ask one costs some ns (docs/measurements.md).
#pragma once

#include <jvmti.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "agent/heap/heap_sampler.h"
#include "agent/heap/live_table.h"
#include "agent/hotspot/vm/heap_usage.h"
#include "agent/hotspot/vm/old_generation.h"
#include "agent/sampling/chance_of_now.h"
#include "agent/sampling/clock.h"
#include "agent/sampling/vm_session.h"
#include "recorder/epoch/carrier.h"

namespace rec::agent {

class LiveClock final : public Clock, public Heir {
 public:
  LiveClock(VmSession& session, HeapSampler& heap) : session_(session), heap_(heap) {}

  const char* name() const override { return "live"; }
  base::Status start(JNIEnv* jni, int64_t interval_bytes) override;
  base::Status change(int64_t interval_bytes) override;
  void stop(JNIEnv* jni) override;
  ClockStatus status() override;

  // JVMTI's callback, on any thread of Java. Never waits.
  void sampled(JNIEnv* jni, jobject object, jclass mirror, jlong size);
  void collection_finished() { pauses_.fetch_add(1, std::memory_order_relaxed); }  // the VM's thread
  // All that are known to be alive, as events. Ordinary threads that Java knows.
  void write();

  void inherit(Carrier& carrier) override;

 private:
  struct Look {
    uint32_t place;
    jweak weak;
    bool alive;
    uint64_t address;    // 0: not asked for
    uint32_t old_since;  // as of OldGeneration
  };
  enum class Want { kLife, kAddress };

  enum class Patience { kNone, kWaits };
  using TableLock = std::unique_lock<std::mutex>;

  // How much it counts for when it is let in, by chance. Nothing: it is not.
  std::optional<Reservoir::Standing> lets_in(jlong size);
  bool record(const LiveEntry& sampled, Reservoir::Standing standing, const LiveObject& object, jclass mirror);
  LiveObject facts_of(JNIEnv* jni, jobject object, jclass mirror, jlong size);
  uint64_t heap_used_after_collection(uint32_t collections);
  bool look_at_all(JNIEnv* jni, Want want, Patience patience);
  TableLock lock_table(Patience patience);
  bool all(std::vector<Look>& looks, Patience patience);
  void ask(JNIEnv* jni, Want want, std::vector<Look>& looks) const;
  struct Moment {  // before the looks
    uint32_t collections;
    OldGeneration::Collections old;
  };
  bool take_in(const std::vector<Look>& looks, const Moment& now, Patience patience);
  bool has_survived(LiveEntry& entry, const Moment& now) const;
  void put_survivors(Epoch& epoch, uint32_t now);
  void note_changes();
  void free_gone(JNIEnv* jni);
  void write_survivors();
  bool commit_survivors(bool in_any_case);
  JNIEnv* own_jni() const;
  // That have begun: the VM's count, or, if it has none, the pauses that it tells of.
  uint32_t collections() const { return count_.known() ? count_.begun() : pauses_.load(std::memory_order_relaxed); }

  VmSession& session_;
  HeapSampler& heap_;
  CollectionCount count_;
  OldGeneration old_;  // where young collections clear no weak reference
  std::atomic<uint32_t> pauses_{0};
  std::atomic<uint32_t> looked_at_{0};             // collections there had been at the last look
  std::atomic<uint32_t> level_{0};                 // of the table
  std::atomic<uint64_t> random_{chance_of_now()};  // each run has its own
  std::atomic<uint32_t> heap_known_at_{UINT32_MAX};
  std::atomic<uint64_t> heap_used_{0};

  std::mutex looking_;     // one look at a time, and only that frees weak references. Taken before table_lock_
  std::mutex table_lock_;  // never held across a call of the VM; a thread that allocates only tries it
  bool running_ = false;   // this and the table: under table_lock_
  LiveTable table_{chance_of_now()};
};

}  // namespace rec::agent
